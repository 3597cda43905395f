import Foundation
import TestSupport
import Testing

@testable import LayeredPrefs

/// `myd --check-config`, for a struct and for keys.
@Suite struct CheckConfigurationTests {
    private struct Relay: Codable, Sendable {
        @Setting(in: 1...65535) var port = 25
        @Setting(in: 1...10) var limit = 5
    }

    private let folder: TemporaryFolder
    private let keys = [
        PrefsKeyDescription(PersistentKey("port", defaultValue: 25, in: 1...65535)),
        PrefsKeyDescription(PersistentKey("limit", defaultValue: 5, in: 1...10)),
    ]

    init() throws { folder = try TemporaryFolder() }

    private func storage(_ text: String) throws -> LayeredPrefsStorage {
        let path = try folder.write(text, to: "relay.json")
        return LayeredPrefsStorage(diagnostics: PrefsDiagnostics { _ in }) {
            PrefsLayer("site", FilePrefsStorage(path: path))
        }
    }

    @Test func `a program that is not asked starts`() throws {
        let storage = try storage(#"{"port": 70000}"#)
        #expect(storage.checkConfiguration(keys, arguments: ["myd"]) == nil)
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["myd"]) == nil)
    }

    @Test(arguments: [
        (#"{"port": 26, "limit": 6}"#, 0), (#"{"port": 70000}"#, 1), (#"{"port": 26"#, 1), ("{}", 0),
    ])
    func `the status says whether anything is wrong`(text: String, status: Int32) throws {
        let storage = try storage(text)
        #expect(storage.checkConfiguration(keys, arguments: ["myd", "--check-config"]) == status)
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["myd", "--check-config"]) == status)
    }

    @Test func `files are checked in place of the program's own`() throws {
        let storage = try storage(#"{"port": 70000}"#)
        let other = try folder.write("port = 26\n", to: "new.toml")
        #expect(storage.checkConfiguration(keys, arguments: ["myd", "--check-config", other]) == 0)
        let missing = folder["missing.toml"]
        #expect(storage.checkConfiguration(keys, arguments: ["myd", "--check-config", missing]) == 1)
    }

    @Test func `every problem has file, line and key, also in what the program refuses`() throws {
        let storage = try storage(#"{"port": 26}"#)
        storage.declare(PersistentKey("port", defaultValue: 25, in: 1...65535))
        try folder.write("{\"port\": 70000,\n \"limit\": 0}", to: "relay.json")
        storage.reload()
        let lines = storage.problems(of: keys).map { "\($0)".replacing(folder.path, with: "") }
        #expect(
            lines == [
                "site /relay.json:1:2: port: expected 1...65535, found the integer 70000",
                "site /relay.json:2:2: limit: expected 1...10, found the integer 0",
            ])
    }
}
