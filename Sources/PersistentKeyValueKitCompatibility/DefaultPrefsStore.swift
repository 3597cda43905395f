import Foundation
import LayeredPrefs
import PrefsSystem

/// The store of property wrappers that name no store.
public enum DefaultPrefsStore {
    private static let chosen = Lock<AnyStore?>(nil)

    /// The store for wrappers that you create from now on. Existing wrappers keep their store.
    ///
    /// Until you assign a store, it is `UserDefaults.standard` or, without the trait `UserDefaults`, a store in memory.
    public static var current: any PersistentKeyValueStore {
        get { chosen.withLock { $0 }?.store ?? builtIn }
        set {
            let store = AnyStore(store: newValue)
            chosen.withLock { $0 = store }
        }
    }

    #if UserDefaults
        private static var builtIn: any PersistentKeyValueStore { UserDefaults.standard }
    #else
        private static let builtIn = InMemoryPersistentKeyValueStore()
    #endif
}
