import Foundation
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// The layer that a write goes to if it names none.
@Suite struct WriteTargetTests {
    private let level = PersistentKey("level", defaultValue: 1, .formerly("verbosity"))

    private func standardWithoutHome(_ sandbox: PrefsSandbox) -> PrefsStack {
        var locations = sandbox.locations
        locations.user = nil
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return .standard(
            domain: sandbox.domain, locations: locations, environment: [:], arguments: [], options: options)
    }

    @Test func `without a user's file, nothing is written to the administrator's`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["verbosity": 3], to: sandbox.administrator)
        let storage = standardWithoutHome(sandbox)
        storage.declare(level)
        #expect(storage.get(level) == 3)
        func expectRejection(_ write: () throws -> Void) {
            let error = #expect(throws: PrefsError.self) { try write() }
            #expect(error?.code == .notWritable)
            #expect(error?.reason.contains("XDG_CONFIG_HOME nor HOME") == true)
        }
        expectRejection { try storage.set(level, to: 2) }
        expectRejection { try storage.set(level, to: 2, in: .user) }
        expectRejection { try storage.setValue(2, forKey: "level") }
        expectRejection { try storage.remove(level) }
        expectRejection { try storage.transaction { $0.setValue(2, forKey: "level") } }
        #expect(storage.migrate() == [:])
        storage.setLater(level, to: 2)
        await storage.flush()
        storage.reload()
        #expect(storage.get(level) == 3)
        #expect(storage.snapshot.candidates(forKey: "level").count <= 1)
        // A write that names the layer goes there.
        #expect(try storage.set(level, to: 2, in: .system) == .effective)
    }

    @Test func `a debug file of the standard stack is read, but not written`() throws {
        let sandbox = try PrefsSandbox(format: .toml)
        let path = "\(sandbox.root)/debug.toml"
        try sandbox.write("level = 7\n", to: path)
        try sandbox.write("level = 3\n", to: sandbox.user)
        let storage = PrefsStack.standard(
            domain: sandbox.domain, locations: sandbox.locations, environment: [:], arguments: [],
            debug: .file(at: path))
        #expect(storage.get(level) == 7)
        let outcome = try storage.set(level, to: 4)
        guard case .shadowed(let origin) = outcome else { return #expect(outcome == .effective) }
        #expect(origin.file == path && storage.get(level) == 7)
        #expect(try String(contentsOfFile: sandbox.user, encoding: .utf8) == "level = 4\n")
        #expect(try storage.set(level, to: 8, in: .debug) == .effective)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "level = 8\n")
    }

    @Test func `the topmost persistent layer is written, but the system's only if there is no user's`() throws
    {
        let sandbox = try PrefsSandbox()
        let system = FilePrefsStorage(path: sandbox.administrator)
        let alone = PrefsStack {
            PrefsLayer(.system, system)
            PrefsLayer.overrides
        }
        #expect(alone.writeTarget?.name == .system)
        let reversed = PrefsStack {
            PrefsLayer(.user, FilePrefsStorage(path: sandbox.user))
            PrefsLayer(.system, system)
        }
        #expect(reversed.writeTarget?.name == .user)
    }

    struct Built: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let target: PrefsLayer.Name?
        let layers: @Sendable (PrefsSandbox) -> [PrefsLayer]

        init(
            _ name: String, _ target: PrefsLayer.Name?,
            @PrefsLayer.Builder _ layers: @escaping @Sendable (PrefsSandbox) -> [PrefsLayer]
        ) {
            (testDescription, self.target, self.layers) = (name, target, layers)
        }
    }

    private static func readOnly(_ path: String) -> FilePrefsStorage {
        var options = FilePrefsStorage.Options()
        options.isWritable = false
        return FilePrefsStorage(path: path, options: options)
    }

    private static let built = [
        Built("a user's layer", .user) { _ in PrefsLayer(.user, DictionaryPrefsStorage()) },
        Built("the topmost of two", "session") { _ in
            PrefsLayer(.user, DictionaryPrefsStorage())
            PrefsLayer("session", DictionaryPrefsStorage())
            PrefsLayer.environment(prefix: "WRITE_TARGET_")
        },
        Built("overrides above another layer", .user) { _ in
            PrefsLayer(.user, DictionaryPrefsStorage())
            PrefsLayer.overrides
        },
        Built("overrides alone", .overrides) { _ in
            PrefsLayer.defaults(["level": 1])
            PrefsLayer.environment(prefix: "WRITE_TARGET_")
            PrefsLayer.debug(DictionaryPrefsStorage())
            PrefsLayer.overrides
        },
        Built("a file below memory", "file") { sandbox in
            PrefsLayer("file", FilePrefsStorage(path: sandbox.user))
            PrefsLayer("session", DictionaryPrefsStorage())
        },
        Built("a user in memory above the system's file", .user) { sandbox in
            PrefsLayer(.system, FilePrefsStorage(path: sandbox.administrator))
            PrefsLayer(.user, DictionaryPrefsStorage())
            PrefsLayer.overrides
        },
        Built("memory above a read-only file", "session") { sandbox in
            PrefsLayer(.user, readOnly(sandbox.user))
            PrefsLayer("session", DictionaryPrefsStorage())
        },
        Built("overrides above a read-only file", nil) { sandbox in
            PrefsLayer(.user, readOnly(sandbox.user))
            PrefsLayer.overrides
        },
        Built("defaults alone", nil) { _ in PrefsLayer.defaults(["level": 1]) },
        Built("debug alone", nil) { sandbox in PrefsLayer.debug(FilePrefsStorage(path: sandbox.user)) },
        Built("an inner stack in memory", "inner") { _ in
            PrefsLayer("inner", PrefsStack { PrefsLayer(.user, DictionaryPrefsStorage()) })
            PrefsLayer.overrides
        },
    ]

    @Test(arguments: built)
    func `a stack built by hand is written where it can be`(stack: Built) throws {
        let sandbox = try PrefsSandbox()
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { stack.layers(sandbox) }
        #expect(storage.writeTarget?.name == stack.target)
        guard let target = stack.target else {
            #expect(#expect(throws: PrefsError.self) { try storage.set(level, to: 2) }?.code == .notWritable)
            #expect(#expect(throws: PrefsError.self) { try storage.setValue(2, forKey: "level") } != nil)
            return #expect(storage.get(level) == 1)
        }
        #expect(try storage.set(level, to: 2) == .effective)
        #expect(storage.get(level) == 2 && storage.layer(target)?.storage.get(level) == 2)
        #expect(try storage.remove(level) == .effective)
        #expect(storage.get(level) == 1)
        try storage.transaction { $0.set(level, to: 3) }
        #expect(storage.get(level) == 3)
    }

    @Test func `an inner stack in memory is written in its own target, below its other layers`() throws {
        let inner = PrefsStack {
            PrefsLayer(.user, DictionaryPrefsStorage(values: ["other": 1]))
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: ["level": 9]))
        }
        let storage = PrefsStack { PrefsLayer("inner", inner) }
        guard case .shadowed(let origin) = try storage.set(level, to: 2) else {
            Issue.record("the value of the inner overrides shadows the written one")
            return
        }
        #expect(origin.layer == "inner.overrides")
        #expect(inner.layer(.user)?.storage.snapshot.dictionary == ["level": 2, "other": 1])
    }

    @Test func `a rejection names what its reader can do`() throws {
        let sandbox = try PrefsSandbox()
        func reason(@PrefsLayer.Builder _ layers: () -> [PrefsLayer]) -> String {
            let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { layers() }
            return #expect(throws: PrefsError.self) { try storage.set(level, to: 2) }?.reason ?? ""
        }
        #expect(
            reason { PrefsLayer.defaults(["level": 1]) }
                == "no layer takes writes; add one to the stack, such as "
                + "`PrefsLayer(.user, DictionaryPrefsStorage())`")
        let readOnly = reason {
            PrefsLayer(.user, Self.readOnly(sandbox.user))
            PrefsLayer.overrides
        }
        #expect(
            readOnly
                == "not written because “user” cannot be written; `storage.set(…, to: …, in: …)` can write to "
                + "“overrides”")
    }
}
