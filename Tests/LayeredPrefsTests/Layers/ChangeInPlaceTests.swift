import Foundation
import LayeredPrefsTesting
import Synchronization
import TestSupport
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == [String: Int] {
    fileprivate static var entries: Self { Self("entries", defaultValue: [:], .merge(.deep)) }
}

extension PersistentKey where Value == [String: [String: Int]] {
    fileprivate static var nested: Self { Self("ui.nested", defaultValue: [:], .merge(.deep)) }
}

extension PersistentKey where Value == [String: Int]? {
    fileprivate static var optional: Self { Self("optional", .merge(.deep)) }
}

/// What an access stores that changes a property's value in place, if the file has changed since the access
/// read it.
@Suite struct ChangeInPlaceTests {
    struct EntryRow: Sendable {
        var system: PrefsValue?
        /// The user's value when the change is stored.
        var user: PrefsValue?
        var before: [String: Int]
        var after: [String: Int]
        var expected: PrefsValue?
    }

    private static let entryRows = [
        EntryRow(before: [:], after: ["a": 1], expected: ["a": 1]),
        EntryRow(user: ["b": 2], before: [:], after: ["a": 1], expected: ["a": 1, "b": 2]),
        EntryRow(user: ["a": 1, "b": 2], before: ["a": 1], after: ["a": 5], expected: ["a": 5, "b": 2]),
        EntryRow(user: ["a": 7], before: ["a": 1], after: ["a": 5], expected: ["a": 5]),
        EntryRow(user: ["a": 1, "b": 2], before: ["a": 1, "b": 2], after: ["b": 2], expected: ["b": 2]),
        EntryRow(user: ["b": 2], before: ["a": 1, "b": 2], after: ["b": 2], expected: ["b": 2]),
        EntryRow(user: nil, before: ["a": 1, "b": 2], after: ["b": 2], expected: nil),
        EntryRow(user: ["a": 1], before: ["a": 1], after: [:], expected: nil),
        EntryRow(user: ["a": 1, "b": 2], before: ["a": 1], after: [:], expected: ["b": 2]),
        EntryRow(
            system: ["a": 1, "c": 3], user: ["a": 2], before: ["a": 2, "c": 3], after: ["a": 2, "c": 4],
            expected: ["a": 2, "c": 4]),
        EntryRow(
            system: ["a": 1], user: ["a": 2, "b": 1], before: ["a": 2, "b": 1], after: ["b": 1],
            expected: ["b": 1]),
        EntryRow(user: "off", before: [:], after: ["a": 1], expected: ["a": 1]),
    ]

    @Test(arguments: entryRows) func `of a dictionary only the changed entries are stored`(row: EntryRow)
        throws
    {
        let stack = try Stack(system: ["entries": row.system].present, user: ["entries": row.user].present)
        try stack.storage.change(.entries, from: row.before, to: row.after, in: .user)
        #expect(stack.user.snapshot["entries"] == row.expected)
    }

    @Test func `an entry that only a lower layer has cannot be removed`() throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(#"{"entries": {"a": 1}}"#, to: sandbox.root + "/system.json")
        let user = DictionaryPrefsStorage(values: ["entries": ["b": 2, "c": 3]])
        let storage = PrefsStack {
            PrefsLayer(.system, FilePrefsStorage(path: sandbox.root + "/system.json"))
            PrefsLayer(.overrides, user)
        }
        let error = #expect(throws: PrefsError.self) {
            try storage.change(.entries, from: ["a": 1, "b": 2], to: ["c": 4], in: .overrides)
        }
        #expect(error?.code == .unsupported && error?.key == "entries.a")
        #expect(error?.origin?.file == sandbox.root + "/system.json" && error?.origin?.position != nil)
        #expect(error?.reason.contains("it is not in the layer “overrides”") == true)
        #expect(user.snapshot["entries"] == ["b": 2, "c": 3])
    }

    @Test func `an entry of the default cannot be removed`() throws {
        let stack = try Stack(user: ["d": ["b": 2]])
        let key = PersistentKey("d", defaultValue: ["a": 1], .merge(.deep))
        let error = #expect(throws: PrefsError.self) {
            try stack.storage.change(key, from: ["a": 1, "b": 2], to: ["b": 2], in: .user)
        }
        #expect(error?.code == .unsupported && error?.key == "d.a")
        #expect(stack.user.snapshot["d"] == ["b": 2])
    }

    @Test func `a dictionary within a dictionary may become empty`() throws {
        let stack = try Stack(user: ["ui": ["nested": ["x": ["a": 1, "b": 2], "y": ["c": 1]]]])
        let before = ["x": ["a": 1, "b": 2], "y": ["c": 1]]
        try stack.storage.change(.nested, from: before, to: ["x": [:], "y": ["c": 2]], in: .user)
        #expect(stack.storage.get(.nested) == ["x": [:], "y": ["c": 2]])
        try stack.storage.change(.nested, from: ["x": [:], "y": ["c": 2]], to: ["y": ["c": 2]], in: .user)
        #expect(stack.user.snapshot.dictionary == ["ui": ["nested": ["y": ["c": 2]]]])
    }

    @Test func `an optional dictionary may become empty`() throws {
        let stack = try Stack()
        try stack.storage.change(.optional, from: nil, to: ["a": 1], in: .user)
        #expect(stack.storage.get(.optional) == ["a": 1])
        try stack.storage.change(.optional, from: ["a": 1], to: [:], in: .user)
        #expect(stack.storage.get(.optional) == [String: Int]())
        try stack.storage.change(.optional, from: [:], to: nil, in: .user)
        #expect(stack.storage.get(.optional) == nil)
    }

    @Test func `entries whose names have dots are entries`() throws {
        let stack = try Stack(user: ["entries": ["a.b": 1, "c": 1]])
        try stack.storage.change(.entries, from: ["a.b": 1], to: ["a.b": 2, "d.e": 3], in: .user)
        #expect(stack.user.snapshot.dictionary == ["entries": ["a.b": 2, "c": 1, "d.e": 3]])
        try stack.storage.change(.entries, from: ["a.b": 2, "d.e": 3], to: [:], in: .user)
        #expect(stack.user.snapshot.dictionary == ["entries": ["c": 1]])
    }

    @Test func `entries stay where the file spells them`() throws {
        let stack = try Stack(user: ["ui.nested": ["x": ["a": 1]], "entries.a": 1])
        try stack.storage.change(.nested, from: [:], to: ["x": ["b": 2]], in: .user)
        try stack.storage.change(.entries, from: ["a": 1], to: ["a": 2, "b": 3], in: .user)
        #expect(stack.storage.get(.nested) == ["x": ["a": 1, "b": 2]])
        #expect(stack.storage.get(.entries) == ["a": 2, "b": 3])
        #expect(stack.user.snapshot["ui"] == nil)
    }
}

// MARK: - Structs

extension ChangeInPlaceTests {
    struct FieldRow: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The user's contents when the value is read.
        var before: PrefsValue = [:]
        /// The user's contents when the change is stored.
        var meanwhile: PrefsValue
        var change: @Sendable (inout ServerOptions) -> Void
        var expected: PrefsValue?
    }

    private static let fieldRows = [
        FieldRow(
            testDescription: "another field", meanwhile: ["timeout": "1m"], change: { $0.host = "a" },
            expected: ["host": "a", "timeout": "1m"]),
        FieldRow(
            testDescription: "the same field", meanwhile: ["host": "b"], change: { $0.host = "a" },
            expected: ["host": "a"]),
        FieldRow(
            testDescription: "a field that was removed", before: ["host": "a", "timeout": "1m"],
            meanwhile: ["host": "a"], change: { $0.host = "b" }, expected: ["host": "b"]),
        FieldRow(
            testDescription: "a field of a struct within", meanwhile: ["tls": ["certificate": "/c"]],
            change: { $0.tls.minimum = "1.3" }, expected: ["tls": ["certificate": "/c", "minimum": "1.3"]]),
        FieldRow(
            testDescription: "as in the layer below", before: ["host": "a"],
            meanwhile: ["host": "a", "tls": ["minimum": "1.2"]], change: { $0.host = "s" },
            expected: ["tls": ["minimum": "1.2"]]),
        FieldRow(
            testDescription: "a field with its default's value stays",
            meanwhile: ["timeout": "30s", "extra": 1],
            change: { $0.host = "a" }, expected: ["host": "a", "timeout": "30s", "extra": 1]),
        FieldRow(
            testDescription: "nil hides the layer below", before: ["backup": ["minimum": "1.1"]],
            meanwhile: ["host": "b"],
            change: {
                $0.tls.certificate = nil
                $0.backup = nil
            }, expected: ["host": "b", "tls": ["certificate": "$null"]]),
        FieldRow(
            testDescription: "a section appears",
            meanwhile: ["backup": ["certificate": "/b", "minimum": "1.0"]],
            change: { $0.backup = ServerOptions.TLS(minimum: "1.1") },
            expected: ["backup": ["certificate": "/b", "minimum": "1.1"]]),
        FieldRow(
            testDescription: "arrays, dictionaries and payloads are one value",
            meanwhile: ["labels": ["x": 1], "ports": [1, 2], "target": ["local": [:]]],
            change: {
                $0.labels["b"] = 2
                $0.ports.append(26)
                $0.target = .relay(host: "h")
            },
            expected: ["labels": ["b": 2], "ports": [25, 26], "target": ["relay": ["host": "h"]]]),
        FieldRow(
            testDescription: "a value that is no struct", meanwhile: "off", change: { $0.host = "a" },
            expected: ["host": "a"]),
    ]

    @Test(arguments: fieldRows) func `of a struct only the changed fields are stored`(row: FieldRow) throws {
        let system: PrefsValue = ["host": "s", "tls": ["certificate": "/s"]]
        let stack = try Stack(system: ["server": system], user: ["server": row.before])
        let before = stack.storage.get(.server)
        stack.user.update { $0["server"] = row.meanwhile }
        var after = before
        row.change(&after)
        try stack.storage.change(.server, from: before, to: after, in: .user)
        let written = stack.user.snapshot["server"]
        if row.meanwhile.dictionary == nil {
            #expect(stack.storage.get(.server) == after)
        } else {
            #expect(written == row.expected)
        }
    }

    @Test func `fields of a higher layer are not stored`() throws {
        let stack = try Stack()
        try stack.storage.setValue(["host": "o"], forKey: "server", in: .overrides)
        let before = stack.storage.get(.server)
        var after = before
        after.timeout = .seconds(60)
        try stack.storage.change(.server, from: before, to: after, in: .user)
        #expect(stack.user.snapshot.dictionary == ["server": ["timeout": "1m"]])
    }

    @Test func `an optional struct that was nil is stored as a whole`() throws {
        let stack = try Stack()
        let key = PersistentKey<ServerOptions.TLS?>("tls")
        try stack.storage.change(key, from: nil, to: ServerOptions.TLS(certificate: "/c"), in: .user)
        #expect(stack.user.snapshot["tls"] == ["minimum": "1.2", "certificate": "/c"])
        let before = stack.storage.get(key)
        try stack.user.setValue(["minimum": "1.3", "certificate": "/c"], forKey: "tls")
        try stack.storage.change(key, from: before, to: ServerOptions.TLS(certificate: "/d"), in: .user)
        #expect(stack.user.snapshot["tls"] == ["minimum": "1.3", "certificate": "/d"])
        try stack.storage.change(key, from: ServerOptions.TLS(), to: nil, in: .user)
        #expect(stack.user.snapshot.dictionary == [:])
    }
}

// MARK: - The rules of every write

extension ChangeInPlaceTests {
    @Test func `what stands under a former name moves to the present one`() throws {
        let stack = try Stack(user: ["old": ["a": 1, "b": 2], "former": ["host": "a", "timeout": "1m"]])
        let entries = PersistentKey("entries", defaultValue: [String: Int](), .formerly("old"), .merge(.deep))
        try stack.storage.change(entries, from: ["a": 1], to: ["a": 5], in: .user)
        #expect(stack.storage.get(entries) == ["a": 5, "b": 2])
        let server = PersistentKey("server", defaultValue: ServerOptions(), .formerly("former"))
        var after = stack.storage.get(server)
        after.host = "b"
        try stack.storage.change(server, from: stack.storage.get(server), to: after, in: .user)
        #expect(stack.storage.get(server) == after)
    }

    @Test func `a locked entry or field cannot be changed, the others can`() throws {
        let stack = try Stack(
            system: ["entries": ["a": 1, "b": 1], "server": ["host": "s"]],
            locking: ["entries.a", "server.host"])
        for change in [["a": 2, "b": 1], ["a": 2, "b": 2]] {
            let error = #expect(throws: PrefsError.self) {
                try stack.storage.change(.entries, from: ["a": 1, "b": 1], to: change, in: .user)
            }
            #expect(error?.code == .locked)
        }
        try stack.storage.change(.entries, from: ["a": 1, "b": 1], to: ["a": 1, "b": 2], in: .user)
        var options = stack.storage.get(.server)
        options.host = "u"
        let error = #expect(throws: PrefsError.self) {
            try stack.storage.change(.server, from: stack.storage.get(.server), to: options, in: .user)
        }
        #expect(error?.code == .locked)
        options = stack.storage.get(.server)
        options.timeout = .seconds(1)
        try stack.storage.change(.server, from: stack.storage.get(.server), to: options, in: .user)
        #expect(stack.user.snapshot.dictionary == ["entries": ["b": 2], "server": ["timeout": "1s"]])
    }

    @Test func `a change is validated together with what others have changed`() throws {
        let stack = try Stack(user: ["size": ["width": 1, "height": 50]])
        let key = PersistentKey(
            "size", defaultValue: Size(),
            .validate { $0.width * $0.height <= 100 ? nil : "expected at most 100 cells" })
        stack.storage.declare(key)
        #expect(throws: PrefsError.self) {
            try stack.storage.change(key, from: Size(), to: Size(width: 101, height: 1), in: .user)
        }
        let error = #expect(throws: PrefsError.self) {
            try stack.storage.change(key, from: Size(), to: Size(width: 50, height: 1), in: .user)
        }
        #expect(error?.code == .invalid)
        #expect(stack.user.snapshot["size"] == ["width": 1, "height": 50])
    }

    @Test func `a file that is created to store an entry of a secret is private`() throws {
        let sandbox = try PrefsSandbox()
        let path = sandbox.root + "/user.json"
        var options = FilePrefsStorage.Options()
        options.writing.creationMode = 0o644
        let file = FilePrefsStorage(path: path, options: options)
        let storage = PrefsStack { PrefsLayer(.user, file) }
        let key = PersistentKey("tokens", defaultValue: [String: Int](), .secret, .merge(.deep))
        try storage.change(key, from: [:], to: ["a": 1])
        #expect(storage.get(key) == ["a": 1])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file keeps everything else as it is written`() throws {
        let sandbox = try PrefsSandbox()
        let path = sandbox.root + "/user.toml"
        try sandbox.write(
            "[entries]\na = 1 # one\nb = 0x2\n\n[server]\nhost = 'a'\ntimeout = '60s' # long\n", to: path)
        let storage = PrefsStack { PrefsLayer(.user, FilePrefsStorage(path: path)) }
        try storage.change(.entries, from: ["a": 1, "b": 2], to: ["a": 2, "b": 2])
        var options = storage.get(.server)
        options.host = "b"
        try storage.change(.server, from: storage.get(.server), to: options)
        let written = try #require(try PrefsFileReader.read(path)?.bytes)
        #expect(
            String(decoding: written, as: UTF8.self)
                == "[entries]\na = 2 # one\nb = 0x2\n\n[server]\nhost = \"b\"\ntimeout = '60s' # long\n")
    }

    @Test func `a broken file and a stack that cannot be written reject the change`() throws {
        let sandbox = try PrefsSandbox()
        let path = sandbox.root + "/user.json"
        try sandbox.write(#"{"entries": }"#, to: path)
        let broken = PrefsStack { PrefsLayer(.user, FilePrefsStorage(path: path)) }
        let error = #expect(throws: PrefsError.self) { try broken.change(.entries, from: [:], to: ["a": 1]) }
        #expect(error?.code == .broken && error?.origin?.file == path)
        let fixed = PrefsStack { PrefsLayer.defaults([:]) }
        #expect(throws: PrefsError.self) { try fixed.change(.entries, from: [:], to: ["a": 1]) }
    }

    @Test func `an inner stack stores the difference, too`() throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(#"{"entries": {"b": 2}}"#, to: sandbox.root + "/user.json")
        let file = FilePrefsStorage(path: sandbox.root + "/user.json")
        let inner = PrefsStack { PrefsLayer(.user, file) }
        let outer = PrefsStack { PrefsLayer("inner", inner) }
        try outer.change(.entries, from: [:], to: ["a": 1])
        try outer.change(.server, from: ServerOptions(), to: ServerOptions(host: "a"))
        #expect(file.snapshot.dictionary == ["entries": ["a": 1, "b": 2], "server": ["host": "a"]])
    }
}

private struct Size: Codable, Equatable, Sendable { var width = 1, height = 1 }

// MARK: - Without a stack

extension ChangeInPlaceTests {
    @Test(arguments: [false, true]) func `a storage of its own stores the difference, too`(isFile: Bool)
        throws
    {
        let sandbox = try PrefsSandbox()
        let storage: any PrefsStorage =
            isFile ? FilePrefsStorage(path: sandbox.root + "/alone.json") : DictionaryPrefsStorage()
        try storage.setValue(["b": 2], forKey: "entries")
        try storage.change(.entries, from: ["b": 2], to: ["a": 1, "b": 2])
        try storage.change(.entries, from: [:], to: ["c": 3])
        #expect(storage.get(.entries) == ["a": 1, "b": 2, "c": 3])
        try storage.change(.entries, from: ["a": 1, "b": 2], to: ["b": 2])
        #expect(storage.get(.entries) == ["b": 2, "c": 3])

        try storage.change(.nested, from: [:], to: ["x": ["a": 1, "b": 1]])
        try storage.change(.nested, from: ["x": ["a": 1]], to: ["x": [:]])
        #expect(storage.get(.nested) == ["x": ["b": 1]])

        try storage.change(.server, from: ServerOptions(), to: ServerOptions(timeout: .seconds(1)))
        try storage.change(.server, from: ServerOptions(), to: ServerOptions(host: "a"))
        #expect(storage.get(.server) == ServerOptions(host: "a", timeout: .seconds(1)))
        #expect(storage.snapshot["server"] == ["host": "a", "timeout": "1s"])

        let renamed = PersistentKey("renamed", defaultValue: ServerOptions(), .formerly("server"))
        try storage.change(renamed, from: ServerOptions(), to: ServerOptions(host: "b"))
        #expect(storage.get(renamed) == ServerOptions(host: "b", timeout: .seconds(1)))
    }

    @Test func `a storage of its own rejects what is invalid together`() throws {
        let storage = DictionaryPrefsStorage(values: ["size": ["width": 1, "height": 50]])
        let key = PersistentKey(
            "size", defaultValue: Size(),
            .validate { $0.width * $0.height <= 100 ? nil : "expected at most 100 cells" })
        #expect(throws: PrefsError.self) {
            try storage.change(key, from: Size(), to: Size(width: 50, height: 1))
        }
        #expect(storage.snapshot["size"] == ["width": 1, "height": 50])
        #expect(throws: PrefsError.self) {
            try storage.change(
                PersistentKey("d", defaultValue: ["a": 1], .merge(.deep)), from: ["a": 1], to: [:])
        }
    }

    @Test func `a storage of another module gets the whole value`() throws {
        let storage = ForeignPrefsStorage()
        try storage.setValue(["b": 2], forKey: "entries")
        try storage.change(.entries, from: [:], to: ["a": 1])
        #expect(storage.snapshot["entries"] == ["a": 1])
        try storage.change(.server, from: ServerOptions(), to: ServerOptions(host: "a"))
        #expect(storage.get(.server) == ServerOptions(host: "a"))
    }
}

private final class ForeignPrefsStorage: PrefsStorage {
    private let contents = Mutex<[String: PrefsValue]>([:])

    var snapshot: PrefsSnapshot { PrefsSnapshot(contents.withLock { $0 }) }

    var isWritable: Bool { true }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        contents.withLock { $0[key] = value }
        return .effective
    }
}

extension [String: PrefsValue?] {
    fileprivate var present: [String: PrefsValue] { compactMapValues(\.self) }
}
