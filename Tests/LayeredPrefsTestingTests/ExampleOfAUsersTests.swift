import FileWatching
import LayeredPrefs
import LayeredPrefsTesting
import Testing

extension PersistentKey where Value == Int {
    fileprivate static var workers: Self { Self("pool.workers", defaultValue: 2) }
}

/// A program that uses preferences, tested as its author would test it.
private final class Pool: Sendable {
    let storage: PrefsStack
    let sizes = Recorder<Int>()

    init(_ storage: PrefsStack) {
        self.storage = storage
        sizes.keep(storage.observe(.workers) { [sizes] in sizes.record($0.new.value) })
    }

    var size: Int { storage.get(.workers) }
}

/// A template for a program's own tests. They touch neither the machine's files nor its environment.
@Suite("Example tests of a program") struct ExampleOfAUsersTests {
    @Test func `the pool grows when the administrator sets a larger size`() async throws {
        let sandbox = try PrefsSandbox()
        let pool = Pool(sandbox.standard())
        try sandbox.write(["pool": ["workers": 8]], to: sandbox.administrator)
        await pool.storage.reloadAndSettle()
        #expect(pool.size == 8)
        #expect(pool.sizes.elements == [8])
    }

    @Test func `the environment overrides the user file`() throws {
        let sandbox = try PrefsSandbox(environment: ["MYD_POOL_WORKERS": "4"])
        try sandbox.write(["pool": ["workers": 8]], to: sandbox.user)
        #expect(Pool(sandbox.standard()).size == 4)
    }

    @Test func `a broken edit is reported and changes nothing`() async throws {
        let sandbox = try PrefsSandbox()
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        let reported = Recorder.diagnostics(of: options.diagnostics)
        try sandbox.write(["pool": ["workers": 8]], to: sandbox.user)
        let pool = Pool(sandbox.standard(options: options))
        try sandbox.write("<plist><dict>", to: sandbox.user)
        await pool.storage.reloadAndSettle()
        #expect(pool.size == 8)
        #expect(reported.elements.map(\.error.origin?.file) == [sandbox.user])
    }

    @Test func `the test decides when an edit is noticed`() async throws {
        let sandbox = try PrefsSandbox()
        let engine = ManualFileEngine()
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(engine))
        let storage = sandbox.standard(options: options)
        let changes = Recorder.changes(of: .workers, in: storage)
        try sandbox.write(["pool": ["workers": 8]], to: sandbox.user)
        #expect(storage.get(.workers) == 2)
        engine.signal(sandbox.user)
        try await changes.wait { $0.count == 1 }
        #expect(changes.elements.map(\.description).first?.hasPrefix("pool.workers: 2 → 8 (user ") == true)
    }

    @Test func `a test that sets its own values needs no files`() {
        let storage = PrefsStack { PrefsLayer.overrides }
        storage.withOverrides(["pool": ["workers": 1]]) {
            #expect(Pool(storage).size == 1)
        }
        #expect(Pool(storage).size == 2)
    }
}
