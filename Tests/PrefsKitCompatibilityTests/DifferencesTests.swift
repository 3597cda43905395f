import PrefsKitCompatibility
import Testing

/// The differences from PrefsKit that the module's page lists and no other suite shows.
@Suite struct PrefsKitDifferencesTests {
    @Test func `a value whose coding does not decode it reads as the default`() {
        let prefs = OneWayPrefs()
        prefs.count = 42
        #expect(prefs.count == 1)
        #expect(prefs.storage.storageValue(forKey: "count") == "VALUE:(42)")
        prefs.storage.setStorageValue(forKey: "count", to: "7")
        #expect(prefs.count == 7)
    }

    @Test func `an observer that reads a property in its callback gets the new value`() {
        let prefs = OneWayPrefs()
        nonisolated(unsafe) var seen: String?
        withObservationTracking {
            _ = prefs.text
        } onChange: {
            unsafe seen = prefs.text
        }
        prefs.text = "new"
        #expect(unsafe seen == "new")
    }

    @Test func `contents that cannot be exported are an error that names the key`() throws {
        struct Opaque: Equatable {}
        let storage = DictionaryPrefsStorage(unsafe: ["own": Opaque()])
        let error = #expect(throws: PrefsError.self) { try storage.exportData(format: .plist()) }
        #expect(error?.key == "own")
        #expect(storage.snapshot["own"] == "Opaque()")
    }
}

@PrefsSchema private final class OneWayPrefs {
    @Storage var storage = .dictionary
    @StorageMode var storageMode = .cachedReadStorageWrite

    @Pref(encode: { (value: Int) -> String? in "VALUE:(\(value))" }, decode: { (text: String) in Int(text) })
    var count: Int = 1
    @Pref var text: String = "old"
}
