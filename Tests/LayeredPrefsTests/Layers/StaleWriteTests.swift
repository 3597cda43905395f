import Foundation
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// Writes that wait for the file lock while another process, which holds the lock, changes the file.
@Suite struct StaleWriteTests {
    /// A way to store the struct.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let write: @Sendable (PrefsStack, MailRelay) async throws -> PrefsWriteOutcome?

        static let all = [
            Way(testDescription: "set") { try $0.set(.relay, to: $1) },
            Way(testDescription: "transaction") { storage, relay in
                let report = try storage.transaction {
                    $0.set(.relay, to: relay)
                    $0.setValue(1, forKey: "other")
                }
                return try report.results[0].get()
            },
            Way(testDescription: "deferred write") { storage, relay in
                storage.setLater(.relay, to: relay)
                await storage.flush()
                return nil
            },
            Way(testDescription: "property") { storage, relay in
                StaleWritePrefs(storage: storage).relay = relay
                return nil
            },
            Way(testDescription: "outer stack") { storage, relay in
                try PrefsStack { PrefsLayer("inner", storage) }.set(.relay, to: relay, in: "inner")
            },
        ]
    }

    @Test(arguments: Way.all, [true, false])
    func `a struct leaves the fields that another process adds meanwhile`(
        way: Way, isLiteral: Bool
    ) async throws {
        func file(_ relay: String) -> String {
            isLiteral ? #"{"mail.relay": \#(relay)}"# : #"{"mail": {"relay": \#(relay)}}"#
        }
        let edit = try StaleWrite(before: file(#"{"port": 30}"#))
        let storage = edit.storage
        let outcome = try await edit.write(meanwhile: file(#"{"port": 30, "via": "y", "host": "y"}"#)) {
            try await way.write(storage, MailRelay(host: "x", port: 26))
        }
        var expected = try PrefsDocument(
            parsing: Array(file(#"{"port": 26, "via": "y", "host": "x"}"#).utf8), path: "u.json"
        ).content
        if way.testDescription == "transaction" { expected["other"] = 1 }
        #expect(try edit.content == expected)
        #expect(outcome == nil || outcome == .effective)
        #expect(storage.get(.relay) == MailRelay(host: "x", port: 26))
    }

    @Test func `a struct that equals the old contents is written over the new ones`() async throws {
        let edit = try StaleWrite(before: #"{"mail": {"relay": {"host": "x", "port": 26}}}"#)
        let storage = edit.storage
        let outcome = try await edit.write(meanwhile: #"{"mail": {"relay": {"host": "y", "port": 99}}}"#) {
            try storage.set(.relay, to: MailRelay(host: "x", port: 26))
        }
        #expect(outcome == .effective)
        #expect(storage.get(.relay) == MailRelay(host: "x", port: 26))
        #expect(try edit.content == ["mail": ["relay": ["host": "x", "port": 26]]])
    }

    @Test func `migration keeps the present name that another process writes meanwhile`() async throws {
        let edit = try StaleWrite(before: #"{"verbosity": "debug"}"#)
        let storage = edit.storage
        storage.declare(.renamed)
        let moved = try await edit.write(meanwhile: #"{"verbosity": "debug", "log": {"level": "info"}}"#) {
            storage.migrate()
        }
        #expect(moved == [.user: ["verbosity"]])
        #expect(try edit.content == ["log": ["level": "info"]])
        #expect(storage.get(.renamed) == "info")
    }

    @Test func `migration moves nothing that another process has moved meanwhile`() async throws {
        let edit = try StaleWrite(before: #"{"verbosity": "debug"}"#)
        let storage = edit.storage
        storage.declare(.renamed)
        let moved = try await edit.write(meanwhile: #"{"log": {"level": "debug"}}"#) { storage.migrate() }
        #expect(moved == [:])
        #expect(try edit.content == ["log": ["level": "debug"]])
    }
}

struct MailRelay: Codable, Equatable, Sendable {
    var host = "::"
    var port = 25
}

extension PersistentKey where Value == MailRelay {
    fileprivate static var relay: Self { Self("mail.relay", defaultValue: MailRelay()) }
}

@PrefsSchema private final class StaleWritePrefs {
    @Storage var storage: PrefsStack
    @Pref(key: "mail.relay") var relay = MailRelay()

    init(storage: PrefsStack) { self.storage = storage }
}

/// A file that another process changes while a writer waits for the file lock.
private struct StaleWrite {
    let storage: PrefsStack
    private let folder: TemporaryFolder
    private let path: String

    init(before: String) throws {
        folder = try TemporaryFolder()
        path = try folder.write(before, to: "u.json")
        var options = FilePrefsStorage.Options()
        options.diagnostics = .silent
        let file = FilePrefsStorage(path: path, options: options)
        storage = PrefsStack { PrefsLayer(.user, file) }
    }

    var content: [String: PrefsValue] {
        get throws { try PrefsDocument(parsing: folder.read("u.json"), path: path).content }
    }

    /// Runs a write that begins before the other process changes the file, and ends after that.
    func write<Outcome: Sendable>(
        meanwhile after: String, _ body: @escaping @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        let other = try FileLockHolder(path)
        TestThread.start { [path] in
            defer { other.release() }
            #expect(throws: Never.self) {
                try other.waitForWaiters(1)
                try Data(after.utf8).write(to: URL(filePath: path), options: .atomic)
            }
        }
        return try await body()
    }
}
