extension PersistentKeyValueStore where Self == DictionaryPrefsStorage {
    /// A new store in memory, which nobody else sees.
    public static var ephemeral: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}

/// A store in memory.
public typealias InMemoryPersistentKeyValueStore = DictionaryPrefsStorage
