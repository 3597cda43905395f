import PrefsSystem

/// The store of property wrappers that name none.
public enum DefaultPrefsStore {
    // Sendable: `PersistentKeyValueStore` requires that stores may be used from any thread.
    private struct Chosen: @unchecked Sendable {
        var store: (any PersistentKeyValueStore)?
    }

    private static let chosen = Lock(Chosen())

    /// The store for wrappers created from now on; existing wrappers keep theirs.
    ///
    /// Until a store is assigned it is ``UserDefaultsPrefsStorage/standard`` or, without the trait
    /// `UserDefaults`, a storage in memory.
    public static var current: any PersistentKeyValueStore {
        get { chosen.withLock { StoreAccess($0.store ?? builtIn) }.store }
        set {
            let access = StoreAccess(newValue)
            chosen.withLock { $0.store = access.store }
        }
    }

    #if UserDefaults
        private static var builtIn: any PersistentKeyValueStore { UserDefaultsPrefsStorage.standard }
    #else
        private static let builtIn = DictionaryPrefsStorage()
    #endif
}
