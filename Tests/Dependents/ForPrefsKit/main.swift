import PrefsKitCompatibility

let storage = DictionaryPrefsStorage(root: ["foo": "a"])
storage.setValue(forKey: AnyDefaultedAtomicPrefsKey(key: "bar", defaultValue: 123), to: 5)
storage.setValue(forKey: "count", to: 7, using: .uInt8AsInt)
let json = try storage.exportString(format: .json(options: .sortedKeys, strategy: .passthrough))
precondition(json == #"{"bar":5,"count":7,"foo":"a"}"#, json)

#if DefaultTraits
    @PrefsSchema final class Prefs {
        @Storage var storage = .userDefaults
        @StorageMode var storageMode = .cachedReadStorageWrite

        @Pref var foo: String?
        @Pref var bar: Int = 123
    }

    let prefs = Prefs()
    prefs.bar += 1
    precondition(prefs.bar == 124 && prefs.foo == nil)
#endif
