extension PersistentKeyValueStore where Self == DictionaryPrefsStorage {
    /// A new store in memory, which nobody else sees.
    public static var ephemeral: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}

// iCloud's store does not exist on Linux. A ``FilePrefsStorage`` in a folder that some program keeps in step
// between machines stands in for it: what arrives from elsewhere is an edit like any other, and is observed.

/// A store in memory.
public typealias InMemoryPersistentKeyValueStore = DictionaryPrefsStorage
