import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// The layer that a write goes to that names none.
@Suite struct WriteTargetTests {
    private let level = PersistentKey("level", defaultValue: 1, .formerly("verbosity"))

    private func standardWithoutHome(_ sandbox: PrefsSandbox) -> LayeredPrefsStorage {
        var locations = sandbox.locations
        locations.user = nil
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnostics { _ in }
        return .standard(
            domain: sandbox.domain, locations: locations, environment: [:], arguments: [], options: options)
    }

    @Test func `without a user's file, nothing is written to the administrator's`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["verbosity": 3], to: sandbox.administrator)
        let storage = standardWithoutHome(sandbox)
        storage.declare(level)
        #expect(storage.get(level) == 3)
        func expectRefusal(_ write: () throws -> Void) {
            let error = #expect(throws: PrefsError.self) { try write() }
            #expect(error?.code == .notWritable)
            #expect(error?.reason.contains("XDG_CONFIG_HOME nor HOME") == true)
        }
        expectRefusal { try storage.set(level, to: 2) }
        expectRefusal { try storage.set(level, to: 2, in: .user) }
        expectRefusal { try storage.setValue(2, forKey: "level") }
        expectRefusal { try storage.remove(level) }
        expectRefusal { try storage.transaction { $0.setValue(2, forKey: "level") } }
        #expect(storage.migrate() == [:])
        storage.setLater(level, to: 2)
        await storage.flush()
        storage.reload()
        #expect(storage.get(level) == 3)
        #expect(storage.snapshot.candidates(forKey: "level").count <= 1)
        // Whoever names the layer, gets it.
        #expect(try storage.set(level, to: 2, in: .system) == .effective)
    }

    @Test func `the topmost persistent layer is written, but the system's only if there is no user's`() throws
    {
        let sandbox = try PrefsSandbox()
        let system = FilePrefsStorage(path: sandbox.administrator)
        let alone = LayeredPrefsStorage {
            PrefsLayer(.system, system)
            PrefsLayer.overrides
        }
        #expect(alone.writeTarget?.name == .system)
        let reversed = LayeredPrefsStorage {
            PrefsLayer(.user, FilePrefsStorage(path: sandbox.user))
            PrefsLayer(.system, system)
        }
        #expect(reversed.writeTarget?.name == .user)
    }
}
