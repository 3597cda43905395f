import TestSupport
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var count: Self { Self("some.count", defaultValue: 0) }
}

/// Typed keys over a stack, which notifies observers on a thread of the event loop.
@Suite struct LayeredKeysTests {
    private let user = DictionaryPrefsStorage()
    private let overrides = DictionaryPrefsStorage()
    private let storage: PrefsStack

    init() {
        let (user, overrides) = (user, overrides)
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer.defaults(["some": ["count": 1]])
            PrefsLayer(.user, user)
            PrefsLayer(.overrides, overrides)
        }
    }

    @Test func `values follow the changes of every layer`() async {
        var values = storage.values(for: .count).makeAsyncIterator()
        #expect(await values.next() == 1)
        overrides.update { $0["some.count"] = 3 }
        #expect(await values.next() == 3)
        // The override shadows this write, so it is no change.
        user.update { $0["some"] = ["count": 2] }
        overrides.update { $0 = [:] }
        #expect(await values.next() == 2)
    }

    @Test func `observers of typed keys receive the old and new value`() async {
        let (stream, continuation) = AsyncStream<ValueChange<Int>>.makeStream()
        let observation = storage.observe(.count) { continuation.yield(ValueChange($0)) }
        user.update { $0["some"] = ["count": 2] }
        for await change in stream {
            #expect(change == ValueChange(old: 1, new: 2))
            break
        }
        observation.cancel()
    }

    @Test func `the next lower value is effective if the topmost is rejected`() throws {
        try overrides.setValue("many", forKey: "some.count")
        #expect(storage.get(.count) == 1)
        #expect(storage.get(.count) == 1)
        #expect(ErasedStorage(storage).get(.count) == 1)
        #expect(storage.get(PersistentKey<Int?>("some.count")) == 1)
        #expect(storage.value(forKey: "some.count") == "many")
    }

    @Test func `former names are read until the present name is written`() throws {
        let key = PersistentKey("new.name", defaultValue: 0, .formerly("old.name"))
        try user.setValue(5, forKey: "old.name")
        #expect(storage.get(key) == 5)
        #expect(user.get(key) == 5)
        try user.setValue(6, forKey: "new.name")
        #expect(storage.get(key) == 6)
    }
}
