import PrefsKitCompatibility
import TestSupport
import Testing

@PrefsSchema final class ModalPrefs {
    @Storage var storage = .dictionary
    @StorageMode var storageMode = .cachedReadStorageWrite

    @Pref var bar: Int = 123
    @Pref var intDictionary: [String: Int]?
}

@PrefsSchema final class UncachedPrefs {
    @Storage var storage: AnyPrefsStorage
    let storageMode: PrefsStorageMode
    @Pref var count: Int = 0

    init(_ storage: some PrefsStorage, _ mode: PrefsStorageMode) {
        self.storage = AnyPrefsStorage(storage)
        storageMode = mode
    }
}

/// A storage whose change source reports nothing.
///
/// Sendable: each test uses it on a single thread.
private final class SilentStorage: NativePrefsStorage, @unchecked Sendable {
    var count = 1
    let changes = PrefsChangeSource()

    var snapshot: PrefsSnapshot { PrefsSnapshot(["count": .integer(Int128(count))]) }
    var changeSource: PrefsChangeSource? { changes }
}

@Suite struct StorageModeTests {
    let prefs = ModalPrefs()

    @Test(arguments: [PrefsStorageMode.storageOnly, .cachedReadStorageWrite])
    func `both modes see writes made directly to the storage`(mode: PrefsStorageMode) throws {
        prefs.storageMode = mode
        #expect(prefs.intDictionary == nil)
        try prefs.storage.setValue(["a": 1], forKey: "intDictionary")
        #expect(prefs.intDictionary == ["a": 1])
        try prefs.storage.setValue("wrong", forKey: "bar")
        #expect(prefs.bar == 123)
    }

    @Test(arguments: [PrefsStorageMode.storageOnly, .cachedReadStorageWrite])
    func `observers are notified of writes made directly to the storage`(mode: PrefsStorageMode) throws {
        prefs.storageMode = mode
        let received = Tally()
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            received.add()
        }
        try prefs.storage.setValue(1, forKey: "unrelated")
        #expect(received.count == 0)
        try prefs.storage.setValue(1, forKey: "bar")
        #expect(received.count == 1)
    }

    @Test(arguments: [(PrefsStorageMode.storageOnly, 2), (.cachedReadStorageWrite, 1)])
    func `only the caching mode relies on the change source of another party`(
        mode: PrefsStorageMode, expected: Int
    ) {
        let storage = SilentStorage()
        let prefs = UncachedPrefs(storage, mode)
        #expect(prefs.count == 1)
        storage.count = 2
        #expect(prefs.count == expected)
    }
}
