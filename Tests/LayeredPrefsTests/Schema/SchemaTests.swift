import Foundation
import LayeredPrefs
import Observation
import TestSupport
import Testing

@PrefsSchema final class PlainPrefs {
    @Storage var storage = .dictionary

    @Pref var foo: String?
    @Pref var bar: Int = 123
    @Pref var bool: Bool = false
    @Pref var stringArray: [String]?
    @Pref var intDictionary: [String: Int]?
    @Pref var inferred = "x"
    @Pref var spelled: Optional<Int>
    @Pref var `default`: Double = 1
}

@Suite struct SchemaTests {
    let prefs = PlainPrefs()

    private func track(_ tally: Tally) {
        withObservationTracking {
            _ = prefs.bar
            _ = prefs.foo
        } onChange: {
            tally.add()
        }
    }

    @Test func `properties have their defaults until a value is stored`() {
        #expect(prefs.bar == 123)
        #expect(prefs.foo == nil)
        #expect(prefs.inferred == "x")
        #expect(prefs.default == 1)
        #expect(prefs.storage.snapshot["bar"] == nil)
    }

    @Test func `writes reach the storage and can be read back`() {
        prefs.bar += 1
        #expect(prefs.bar == 124)
        #expect(prefs.storage.snapshot["bar"] == 124)
        prefs.foo = "x"
        #expect(prefs.foo == "x")
        prefs.foo = nil
        #expect(prefs.foo == nil)
        #expect(prefs.storage.snapshot["foo"] == nil)
        prefs.stringArray = ["a"]
        prefs.stringArray?.append("b")
        #expect(prefs.stringArray == ["a", "b"])
    }

    @Test func `writes made directly to the storage are visible`() throws {
        #expect(prefs.intDictionary == nil)
        try prefs.storage.setValue(["a": 1], forKey: "intDictionary")
        #expect(prefs.intDictionary == ["a": 1])
        try prefs.storage.setValue("wrong", forKey: "bar")
        #expect(prefs.bar == 123)
    }

    @Test func `observers are notified of writes made directly to the storage`() throws {
        let received = Tally()
        track(received)
        try prefs.storage.setValue(1, forKey: "unrelated")
        #expect(received.count == 0)
        try prefs.storage.setValue(1, forKey: "bar")
        #expect(received.count == 1)
    }

    @Test func `writing an equal or a rejected value notifies no observer`() throws {
        let received = Tally()
        track(received)
        prefs.bar = 123
        try prefs.storage.setValue("rejected", forKey: "bar")
        prefs.foo = nil
        #expect(received.count == 0)
    }

    @Test func `replacing the storage notifies observers and detaches the old one`() throws {
        let received = Tally()
        track(received)
        let other = DictionaryPrefsStorage(values: ["foo": "new"])
        let old = prefs.storage
        prefs.storage = other
        #expect(received.count == 1)
        #expect(prefs.foo == "new")
        track(received)
        try old.setValue("ignored", forKey: "foo")
        #expect(received.count == 1)
        try other.setValue("newer", forKey: "foo")
        #expect(received.count == 2)
        #expect(prefs.foo == "newer")
    }

    @Test func `a storage that has not changed for longer than the one before shows its own values`() {
        let older = DictionaryPrefsStorage(values: ["bar": 1, "foo": "older"])
        prefs.storage = DictionaryPrefsStorage(values: ["bar": 2, "foo": "newer"])
        #expect(prefs.bar == 2)
        #expect(prefs.foo == "newer")
        prefs.storage = older
        #expect(prefs.bar == 1)
        #expect(prefs.foo == "older")
    }

    @Test func `of two storages that are set at once the schema shows the one that it has`() {
        for _ in 0..<200 {
            let prefs = PlainPrefs()
            let meeting = Meeting(of: 2)
            concurrently(2) { number in
                _ = meeting.arrive()
                prefs.storage = DictionaryPrefsStorage(values: ["bar": .integer(Int128(number))])
                _ = prefs.bar
            }
            #expect(prefs.storage.value(forKey: "bar") == .integer(Int128(prefs.bar)))
        }
    }

    @Test func `a storage that is released because it was replaced may use the schema`() {
        let (prefs, reads) = (FarewellPrefs(FarewellStorage()), Tally())
        #expect(prefs.bar == 1)
        prefs.storage = FarewellStorage { if prefs.bar == 1 { reads.add() } }
        prefs.storage = FarewellStorage()
        #expect(reads.count == 1)
    }

    @Test func `a storage does not retain its schema`() {
        let storage = DictionaryPrefsStorage()
        weak var released: PlainPrefs?
        do {
            let prefs = PlainPrefs()
            prefs.storage = storage
            _ = prefs.bar
            released = prefs
        }
        #expect(released == nil)
    }

    @Test func `a schema can be used from another task`() async {
        let prefs = prefs
        await Task.detached { prefs.bar = 7 }.value
        #expect(prefs.bar == 7)
    }
}

/// A storage that runs the program's code when it is released.
private final class FarewellStorage: PrefsStorage {
    private let onRelease: @Sendable () -> Void
    let snapshot = PrefsSnapshot()

    init(_ onRelease: @escaping @Sendable () -> Void = {}) { self.onRelease = onRelease }

    deinit { onRelease() }
}

@PrefsSchema private final class FarewellPrefs {
    @Storage var storage: FarewellStorage
    @Pref var bar: Int = 1

    init(_ storage: FarewellStorage) { self.storage = storage }
}

/// A storage without a change source.
final class MuteStorage: PrefsStorage {
    private let inner = DictionaryPrefsStorage()
    var snapshot: PrefsSnapshot { inner.snapshot }
    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try inner.setValue(value, forKey: key)
    }
}

@PrefsSchema final class MutePrefs {
    @Storage var storage = MuteStorage()
    @Pref var bar: Int = 1
    @Pref var foo: String = "x"
}

@Suite struct MuteStorageTests {
    @Test func `values of a storage without a change source are not cached`() throws {
        let prefs = MutePrefs()
        #expect(prefs.bar == 1)
        try prefs.storage.setValue(2, forKey: "bar")
        #expect(prefs.bar == 2)
    }

    @Test func `writes through the schema notify observers without a change source`() {
        let prefs = MutePrefs()
        let received = Tally()
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            received.add()
        }
        prefs.bar = 1
        prefs.foo = "y"
        #expect(received.count == 0)
        prefs.bar = 2
        #expect(received.count == 1)
    }
}
