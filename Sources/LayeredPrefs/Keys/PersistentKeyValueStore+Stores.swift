extension PersistentKeyValueStore where Self == DictionaryPrefsStorage {
    /// A new store in memory, separate from all others.
    public static var ephemeral: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}

// iCloud's store does not exist on Linux. A ``FilePrefsStorage`` in a folder that some program synchronises
// between machines replaces it: changes from other machines are edits like any other, and are observed.

/// A store in memory.
public typealias InMemoryPersistentKeyValueStore = DictionaryPrefsStorage
