#if Macros
    import PrefsKitCompatibility

    /// The schema over the stack of five layers. The user's file sets its keys.
    @PrefsSchema final class StackPrefs {
        @Storage var storage: PrefsStack
        @StorageMode var storageMode: PrefsStorageMode

        @Pref var int: Int = 0
        @Pref var bool: Bool = false
        @Pref var double: Double = 0
        @Pref var short: String = ""
        @Pref var long: String = ""
        @Pref var table: [String: Int] = [:]
        @Pref var relay: Relay = Relay()

        init(_ storage: PrefsStack, asksStorage: Bool = false) {
            self.storage = storage
            storageMode = asksStorage ? .storageOnly : .cachedReadStorageWrite
        }
    }

    /// The same schema over a storage in memory, for writes.
    @PrefsSchema final class MemoryPrefs {
        @Storage var storage: LayeredPrefs.DictionaryPrefsStorage
        @StorageMode var storageMode = .cachedReadStorageWrite

        @Pref var int: Int = 0
        @Pref var bool: Bool = false
        @Pref var double: Double = 0
        @Pref var short: String = ""
        @Pref var long: String = ""
        @Pref var table: [String: Int] = [:]

        init(_ storage: LayeredPrefs.DictionaryPrefsStorage) { self.storage = storage }
    }
#endif
