import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Files of a daemon whose removal or emptying loses active values.
@Suite struct LostFileTests {
    private let folder: TemporaryFolder
    private let port = PersistentKey("port", defaultValue: 1)
    private let token = PersistentKey("auth.token", defaultValue: "none", .secret)
    private let reports = Recorder<String>()
    private let storage: PrefsStack

    private static let main = "etc/relay/relay.toml"
    private static let dropIn = "etc/relay/relay.toml.d/50-token.toml"

    init() throws {
        folder = try TemporaryFolder()
        for path in ["etc/relay/relay.toml.d", "usr/lib/relay/relay.toml.d"] {
            try FileManager.default.createDirectory(
                atPath: folder[path], withIntermediateDirectories: true)
        }
        try folder.write("port = 8080\nhost = \"a\"\n", to: "usr/lib/relay/relay.toml")
        try folder.write("port = 9000\nhost = \"a\"\n", to: Self.main)
        try folder.write("auth.token = \"s3cret\"\n", to: Self.dropIn)
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { [reports] in
            reports.record("\($0.severity): \($0.error.origin?.file ?? "-"): \($0.error.reason)")
        }
        storage = PrefsStack.daemon(
            "relay", root: folder.path, environment: [:], arguments: [], options: options)
        storage.declare(port)
        storage.declare(token)
    }

    private func reload() async {
        storage.reload()
        await storage.settled()
    }

    private func warning(_ file: String, _ verb: String, _ keys: String) -> String {
        "warning: \(folder[file]): the file was \(verb); these keys fall back to lower layers, or to their defaults: \(keys)"
    }

    @Test func `a removed main file is one warning with the keys that changed`() async throws {
        #expect(storage.get(port) == 9000)
        try FileManager.default.removeItem(atPath: folder[Self.main])
        await reload()
        await reload()
        #expect(storage.get(port) == 8080)
        // The host comes from the vendor's file, so it is not lost.
        #expect(reports.elements == [warning(Self.main, "removed", "port")])
    }

    @Test(arguments: ["removed", "emptied"])
    func `a drop-in is one warning without its values`(verb: String) async throws {
        if verb == "removed" {
            try FileManager.default.removeItem(atPath: folder[Self.dropIn])
        } else {
            try folder.write("", to: Self.dropIn)
        }
        await reload()
        #expect(storage.get(token) == "none")
        #expect(reports.elements == [warning(Self.dropIn, verb, "auth.token")])
    }

    @Test func `a file that another one hides, or that the program empties, is none`() async throws {
        try FileManager.default.removeItem(atPath: folder[Self.main])
        await reload()
        try folder.write("port = 7000\n", to: Self.main)
        await reload()
        #expect(storage.get(port) == 7000)
        #expect(reports.elements.count == 1)
        try storage.remove(port)
        #expect(reports.elements.count == 1)
    }
}
