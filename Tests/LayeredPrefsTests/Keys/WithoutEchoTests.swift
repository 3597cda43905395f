import Foundation
import PrefsKitCompatibility
import Testing

@testable import LayeredPrefs

extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    fileprivate static var count: Self { Self("some.count", defaultValue: 0) }
}

/// Writes inside a callback for which the writing observer opted out of notifications.
@Suite struct WithoutEchoTests {
    private let user = DictionaryPrefsStorage()
    private let overrides = DictionaryPrefsStorage()
    private let storage: LayeredPrefsStorage
    private let seen = Log<ValueChange<Int>>()
    private let others = Log<Int>()

    init() {
        let (user, overrides) = (user, overrides)
        storage = LayeredPrefsStorage(diagnostics: PrefsDiagnostics()) {
            PrefsLayer(.user, user)
            PrefsLayer(.overrides, overrides)
        }
    }

    private func write(_ value: Int?) { overrides.update { $0["some.count"] = value?.prefsValue } }

    /// Waits for all changes, including those made inside callbacks.
    private func settle() async { for _ in 1...3 { await storage.deliveries() } }

    private func isTen(_ writing: @escaping @Sendable (LayeredPrefsStorage) throws -> Void) async {
        let other = storage.observe(.count) { [others] in others.add($0.new.value) }
        let observation = storage.observe(.count) { [seen, storage] change in
            seen.add(ValueChange(change))
            guard change.new.value > 10 else { return }
            #expect(throws: Never.self) { try PrefsObservation.withoutEcho { try writing(storage) } }
        }
        write(50)
        await settle()
        write(7)
        await settle()
        #expect(seen.all == [ValueChange(old: 0, new: 50), ValueChange(old: 10, new: 7)])
        #expect(others.all == [50, 10, 7])
        for observation in [observation, other] { observation.cancel() }
    }

    @Test func `the writer is not notified of a write through the stack`() async {
        await isTen { try $0.set(.count, to: 10, in: .overrides) }
    }

    @Test func `the writer is not notified of a write to a layer`() async {
        await isTen { [overrides] _ in
            overrides.update {
                $0["some"] = ["count": 10]; $0["some.count"] = nil
            }
        }
    }

    @Test func `the writer is not notified of a transaction`() async throws {
        await isTen {
            try $0.transaction {
                $0.set(.count, to: 10, in: .overrides)
                $0.setValue("x", forKey: "some.other", in: .user)
            }
        }
    }

    @Test func `the writer is not notified of a removal`() async throws {
        user.update { $0["some.count"] = 10 }
        let observation = storage.observe(.count) { [seen, storage] change in
            seen.add(ValueChange(change))
            PrefsObservation.withoutEcho { _ = try? storage.remove(.count, in: .overrides) }
        }
        write(50)
        await settle()
        #expect(seen.all == [ValueChange(old: 10, new: 50)])
        #expect(storage.get(.count) == 10)
        observation.cancel()
    }

    @Test func `only marked writes are not delivered`() async {
        let observation = storage.observe(.count) { [seen, storage] change in
            seen.add(ValueChange(change))
            switch change.new.value {
            case 1: PrefsObservation.withoutEcho { _ = try? storage.set(.count, to: 2, in: .overrides) }
            case 3: _ = try? storage.set(.count, to: 4, in: .overrides)
            default: break
            }
        }
        write(1)
        await settle()
        write(3)
        await settle()
        #expect(
            seen.all == [
                ValueChange(old: 0, new: 1), ValueChange(old: 2, new: 3), ValueChange(old: 3, new: 4),
            ])
        observation.cancel()
    }

    @Test func `a concurrent change of another writer is delivered`() async {
        let observation = storage.observe(.count) { [seen, storage, user, overrides] change in
            seen.add(ValueChange(change))
            guard change.new.value == 1 else { return }
            storage.suspendingCommits(of: Set(storage.layers.indices)) { _ in
                overrides.update { $0["some.count"] = 2 }
                PrefsObservation.withoutEcho { user.update { $0["some.count"] = 3 } }
            }
        }
        write(1)
        await settle()
        #expect(seen.all == [ValueChange(old: 0, new: 1), ValueChange(old: 1, new: 2)])
        observation.cancel()
    }

    @Test func `an observer of many keys is notified of changes it did not make`() async {
        let received = Log<[String]>()
        let observation = storage.observe(under: "some") { [storage, overrides] changes in
            received.add(changes.changes.map(\.key))
            storage.suspendingCommits(of: Set(storage.layers.indices)) { _ in
                PrefsObservation.withoutEcho { overrides.update { $0["some.own"] = 1 } }
                if changes.changes.map(\.key) == ["some.b"] { overrides.update { $0["some.other"] = 1 } }
            }
        }
        overrides.update { $0["some.a"] = 1 }
        await settle()
        #expect(received.all == [["some.a"]])
        overrides.update { $0["some.b"] = 1 }
        await settle()
        #expect(received.all == [["some.a"], ["some.b"], ["some.other"]])
        observation.cancel()
    }

    @Test(arguments: ["stack", "any", "dictionary", "file"])
    func `the writer is not notified through typed keys over other stores`(_ kind: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store: any PrefsStorage =
            switch kind {
            case "stack": storage
            case "any": AnyPrefsStorage(overrides)
            case "dictionary": overrides
            default: FilePrefsStorage(path: folder.appendingPathComponent("a.plist").path)
            }
        let write: @Sendable (Int) throws -> Void = { [storage, key = PersistentKey<Int>.count] value in
            if kind == "stack" {
                try storage.set(key, to: value, in: .overrides)
            } else {
                try store.set(key, to: value)
            }
        }
        let (received, continuation) = AsyncStream<ValueChange<Int>>.makeStream()
        let observation = store.observe(.count) { change in
            if change.new.value > 10 { PrefsObservation.withoutEcho { try? write(10) } }
            continuation.yield(ValueChange(change))
            if change.new.value == 7 { continuation.finish() }
        }
        var changes = received.makeAsyncIterator()
        for (written, old) in [(50, 0), (60, 10), (7, 10)] {
            try write(written)
            #expect(await changes.next() == ValueChange(old: old, new: written))
        }
        #expect(await changes.next() == nil)
        observation.cancel()
    }

    /// The second observer's callback runs inside the marked write, but its own write is not marked.
    @Test func `a write of another callback inside a marked write is not marked`() throws {
        let first = overrides.observe(.count) { [seen, overrides] change in
            seen.add(ValueChange(change))
            if change.new.value == 1 {
                PrefsObservation.withoutEcho { _ = try? overrides.set(.count, to: 2) }
            }
        }
        let second = overrides.observe(.count) { [overrides] change in
            if change.new.value == 2 { _ = try? overrides.set(.count, to: 3) }
        }
        try overrides.set(.count, to: 1)
        #expect(seen.all == [ValueChange(old: 0, new: 1), ValueChange(old: 2, new: 3)])
        for observation in [first, second] { observation.cancel() }
    }

    /// The watcher may see a file's new version before its writer has returned, and must know the writer.
    @Test func `the writer is never notified of its write to a watched file`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = LayeredPrefsStorage(coalescing: .immediate, diagnostics: PrefsDiagnostics()) {
            PrefsLayer(.user, FilePrefsStorage(path: folder.appendingPathComponent("f.plist").path))
        }
        let observation = storage.observe(.count) { [seen] change in
            let new = change.new.value
            seen.add(ValueChange(old: change.old.value, new: new))
            _ = PrefsObservation.withoutEcho { try? storage.set(.count, to: new + 1, in: .user) }
        }
        for round in 0..<100 {
            try storage.set(.count, to: 2 * round + 2, in: .user)
            await storage.deliveries()
        }
        #expect(seen.all.map(\.new) == (0..<100).map { 2 * $0 + 2 })
        observation.cancel()
    }

    @Test func `all observers are notified of a marked write outside a callback`() async {
        let observation = storage.observe(.count) { [others] in others.add($0.new.value) }
        PrefsObservation.withoutEcho { write(5) }
        await settle()
        #expect(others.all == [5])
        observation.cancel()
    }
}
