import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
import Synchronization
import Testing

extension PersistentKey where Value == Bool {
    fileprivate static var traces: Self {
        Self("debug.traces", defaultValue: true, .debugOnly(releaseValue: false))
    }
}

/// A kind of store that contains the opposite of the key's release default.
private struct StoreRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (TemporaryFolder) throws -> any PrefsStorage

    static let all: [StoreRow] = [
        StoreRow(testDescription: "a dictionary") { _ in
            let store = DictionaryPrefsStorage()
            try store.setValue(true, forKey: "debug.traces")
            return store
        },
        StoreRow(testDescription: "a stack in a stack") { _ in
            PrefsStack {
                PrefsLayer("inner", PrefsStack { PrefsLayer.defaults(["debug.traces": true]) })
            }
        },
        StoreRow(testDescription: "a third party's") { _ in ThirdPartyStorage() },
        StoreRow(testDescription: "a file") { folder in
            let storage = FilePrefsStorage(path: folder.path("a.plist"))
            try storage.setValue(true, forKey: "debug.traces")
            return storage
        },
        StoreRow(testDescription: "the environment") { _ in
            EnvironmentPrefsStorage(prefix: "MYD_", environment: ["MYD_DEBUG_TRACES": "true"])
        },
        StoreRow(testDescription: "arguments") { _ in
            ArgumentsPrefsStorage(["--set", "debug.traces=true"])
        },
        StoreRow(testDescription: "every layer of a standard stack") { folder in
            let storage = PrefsStack.standard(
                domain: "com.example.myd", defaults: ["debug.traces": true],
                locations: PrefsFileLocations(
                    system: [PrefsFileLocations.System(path: folder.path("system.plist"))],
                    user: folder.path("user.plist")),
                environment: ["MYD_DEBUG_TRACES": "true"], arguments: ["--set", "debug.traces=true"])
            try storage.setValue(true, forKey: "debug.traces", in: .user)
            try storage.setValue(true, forKey: "debug.traces", in: .overrides)
            return storage
        },
        StoreRow(testDescription: "UserDefaults") { folder in
            let defaults = UserDefaults(suiteName: folder.name)!
            defaults.set(true, forKey: "debug.traces")
            return UserDefaultsPrefsStorage(suite: defaults)
        },
    ]
}

@Suite struct DebugKeyTests {
    private let folder = TemporaryFolder()

    @Test func `the library knows that it is a release build`() {
        #expect(!PersistentKey<Bool>.traces.isMutable)
        #expect(PersistentKey<Bool>.traces.defaultValue == false)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func `no store changes the value of a debug key`(row: StoreRow) async throws {
        let store = try row.make(folder)
        #expect(store.get(.traces) == false)
        var values = store.values(for: .traces).makeAsyncIterator()
        #expect(await values.next() == false)
        #expect(store.snapshot.get(.traces) == false)
        #expect(store.snapshot.resolution(for: .traces).isDefault)
    }

    @Test(arguments: StoreRow.all)
    fileprivate func `writing a debug key does nothing`(row: StoreRow) async throws {
        let store = try row.make(folder)
        let before = store.snapshot.candidates(forKey: "debug.traces")
        #expect(try store.set(.traces, to: false) == .notStored)
        #expect(try store.remove(.traces) == .notStored)
        if let storage = store as? PrefsStack { try await writeEveryWay(to: storage) }
        #expect(!before.isEmpty)
        #expect(store.snapshot.candidates(forKey: "debug.traces") == before)
        try store.remove(.traces)
        #expect(store.snapshot.candidates(forKey: "debug.traces") == before)
    }

    private func writeEveryWay(to storage: PrefsStack) async throws {
        #expect(try storage.set(.traces, to: false, in: .overrides) == .notStored)
        #expect(try storage.remove(.traces, in: .overrides) == .notStored)
        let report = try storage.transaction {
            $0.set(.traces, to: false, in: .user)
            $0.remove(.traces, in: .overrides)
        }
        #expect(try report.results.map { try $0.get() } == [.notStored, .notStored])
        storage.setLater(.traces, to: false)
        await storage.flush()
    }

    @Test func `observers of a debug key are never notified`() async throws {
        let storage = PrefsStack { PrefsLayer.overrides }
        let (stream, received) = AsyncStream<String>.makeStream()
        let debug = storage.observe(.traces) { (_: PrefsChange<Bool>) in received.yield("debug key") }
        let other = storage.observe(PersistentKey("last", defaultValue: 0)) { _ in received.yield("last") }
        try storage.setValue(true, forKey: "debug.traces", in: .overrides)
        try storage.setValue(1, forKey: "last", in: .overrides)
        for await key in stream {
            #expect(key == "last")
            break
        }
        debug.cancel()
        other.cancel()
    }

    @Test func `the explanation of a debug key lists no layers`() {
        let storage = PrefsStack { PrefsLayer.defaults(["debug.traces": true]) }
        #expect(
            storage.explanation(for: .traces).description == "debug.traces\n  default  false    effective")
    }

    @Test func `a value stored for a debug key is not rejected`() async throws {
        let diagnostics = PrefsDiagnosticHandler()
        let (stream, received) = AsyncStream<PrefsDiagnostic>.makeStream()
        let subscription = diagnostics.subscribe { received.yield($0) }
        let storage = PrefsStack(diagnostics: diagnostics) { PrefsLayer.overrides }
        storage.declare(.traces)
        try storage.setValue("many", forKey: "debug.traces", in: .overrides)
        subscription.cancel()
        received.finish()
        #expect(await stream.first { _ in true } == nil)
    }

    @Test func `scoped overrides do not affect a debug key`() {
        let storage = PrefsStack { PrefsLayer.overrides }
        storage.withOverrides(["debug.traces": true]) { #expect(storage.get(.traces) == false) }
    }
}

@Suite struct DebugLayerTests {
    private let level = PersistentKey("log.level", defaultValue: "info")

    @Test func `the debug layer is empty however it is created, and its storage is left alone`() async throws
    {
        let debug = DictionaryPrefsStorage(values: ["log.level": "trace"])
        for layer in [PrefsLayer.debug(debug), PrefsLayer(.debug, debug), PrefsLayer("debug", debug)] {
            let storage = PrefsStack { layer }
            #expect(storage.get(level) == "info")
            #expect(storage.snapshot["log.level"] == nil)
            try await expectNothingStored(in: storage)
        }
        #expect(debug.snapshot["log.level"] == "trace")
    }

    /// Writes to the debug layer in every way.
    private func expectNothingStored(in storage: PrefsStack) async throws {
        #expect(try storage.set(level, to: "all", in: .debug) == .notStored)
        #expect(try storage.remove(level, in: .debug) == .notStored)
        #expect(try storage.setValue("all", forKey: "log.level", in: .debug) == .notStored)
        #expect(try storage.removeValue(forKey: "log.level", in: .debug) == .notStored)
        let report = try storage.transaction {
            $0.set(level, to: "all", in: .debug)
            $0.setValue("all", forKey: "log.level", in: .debug)
            $0.remove(level, in: .debug)
        }
        #expect(try report.results.map { try $0.get() } == [.notStored, .notStored, .notStored])
        storage.setLater(level, to: "all", in: .debug)
        await storage.flush()
        #expect(storage.get(level) == "info")
    }

    @Test func `in a transaction, the other writes are made`() throws {
        let storage = PrefsStack {
            PrefsLayer.debug(DictionaryPrefsStorage())
            PrefsLayer.overrides
        }
        let report = try storage.transaction {
            $0.set(level, to: "all", in: .debug)
            $0.set(level, to: "error", in: .overrides)
        }
        #expect(try report.results.map { try $0.get() } == [.notStored, .effective])
        #expect(storage.get(level) == "error")
    }

    @Test func `the storage of the debug layer is not created`() throws {
        let folder = TemporaryFolder()
        try "]".write(toFile: folder.path("debug.toml"), atomically: true, encoding: .utf8)
        let reports = Mutex<[PrefsError]>([])
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { report in reports.withLock { $0.append(report.error) }
        }
        func make() -> FilePrefsStorage {
            Issue.record("created")
            return FilePrefsStorage(path: folder.path("debug.toml"), options: options)
        }
        let storage = PrefsStack(diagnostics: options.diagnostics) {
            PrefsLayer.debug(make())
            PrefsLayer.overrides
        }
        #expect(storage.get(level) == "info")
        storage.reload()
        #expect(storage.status.allSatisfy { $0.problem == nil })
        #expect(reports.withLock { $0 } == [])
    }

    @Test func `without a debug layer, writes to it store nothing either`() async throws {
        try await expectNothingStored(in: PrefsStack { PrefsLayer.overrides })
    }

    @Test func `the standard stack has no debug layer`() {
        let storage = PrefsStack.standard(
            domain: "com.example.myd", locations: PrefsFileLocations(system: [], user: nil), environment: [:],
            arguments: [])
        #expect(!storage.layers.contains { $0.name == .debug })
    }
}

/// A third party's storage, with as few members as the protocol allows.
private final class ThirdPartyStorage: PrefsStorage {
    private let base = DictionaryPrefsStorage(values: ["debug.traces": true])

    var snapshot: PrefsSnapshot { base.snapshot }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try base.setValue(value, forKey: key)
    }
}
