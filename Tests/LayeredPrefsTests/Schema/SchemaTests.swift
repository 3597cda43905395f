import TestSupport
import Foundation
import LayeredPrefs
import Observation
import Testing

@PrefsSchema final class PlainPrefs {
    @Storage var storage = .dictionary
    @StorageMode var storageMode = .cachedReadStorageWrite

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

    @Test func defaultsShowUntilSomethingIsStored() {
        #expect(prefs.bar == 123)
        #expect(prefs.foo == nil)
        #expect(prefs.inferred == "x")
        #expect(prefs.default == 1)
        #expect(prefs.storage.snapshot["bar"] == nil)
    }

    @Test func writesReachTheStorageAndReadBack() {
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

    @Test(arguments: [PrefsStorageMode.storageOnly, .cachedReadStorageWrite])
    func bothModesSeeDirectWrites(mode: PrefsStorageMode) throws {
        prefs.storageMode = mode
        #expect(prefs.intDictionary == nil)
        try prefs.storage.setPrefsValue(["a": 1], forKey: "intDictionary")
        #expect(prefs.intDictionary == ["a": 1])
        try prefs.storage.setPrefsValue("wrong", forKey: "bar")
        #expect(prefs.bar == 123)
    }

    @Test(arguments: [PrefsStorageMode.storageOnly, .cachedReadStorageWrite])
    func directWritesAreObserved(mode: PrefsStorageMode) throws {
        prefs.storageMode = mode
        let told = Tally()
        track(told)
        try prefs.storage.setPrefsValue(1, forKey: "unrelated")
        #expect(told.count == 0)
        try prefs.storage.setPrefsValue(1, forKey: "bar")
        #expect(told.count == 1)
    }

    @Test func sameValueWritesTellNobody() throws {
        let told = Tally()
        track(told)
        prefs.bar = 123
        try prefs.storage.setPrefsValue("refused", forKey: "bar")
        prefs.foo = nil
        #expect(told.count == 0)
    }

    @Test func anExchangedStorageIsFollowed() throws {
        let told = Tally()
        track(told)
        let other = DictionaryPrefsStorage(values: ["foo": "new"])
        let old = prefs.storage
        prefs.storage = other
        #expect(told.count == 1)
        #expect(prefs.foo == "new")
        track(told)
        try old.setPrefsValue("ignored", forKey: "foo")
        #expect(told.count == 1)
        try other.setPrefsValue("newer", forKey: "foo")
        #expect(told.count == 2)
        #expect(prefs.foo == "newer")
    }

    @Test func aSchemaIsReleasedWhileItsStorageLives() {
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

    @Test func aSchemaIsSendable() async {
        let prefs = prefs
        await Task.detached { prefs.bar = 7 }.value
        #expect(prefs.bar == 7)
    }
}

/// A storage that cannot say when it changed.
final class MuteStorage: PrefsStorage {
    private let inner = DictionaryPrefsStorage()
    var snapshot: PrefsSnapshot { inner.snapshot }
    func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        try inner.setPrefsValue(value, forKey: key)
    }
}

@PrefsSchema final class MutePrefs {
    @Storage var storage = MuteStorage()
    @Pref var bar: Int = 1
    @Pref var foo: String = "x"
}

@Suite struct MuteStorageTests {
    @Test func nothingOfAMuteStorageIsCached() throws {
        let prefs = MutePrefs()
        #expect(prefs.bar == 1)
        try prefs.storage.setPrefsValue(2, forKey: "bar")
        #expect(prefs.bar == 2)
    }

    @Test func itsOwnPropertiesAreObserved() {
        let prefs = MutePrefs()
        let told = Tally()
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            told.add()
        }
        prefs.bar = 1
        prefs.foo = "y"
        #expect(told.count == 0)
        prefs.bar = 2
        #expect(told.count == 1)
    }
}
