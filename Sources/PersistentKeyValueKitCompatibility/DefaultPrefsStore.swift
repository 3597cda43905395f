import Foundation
import LayeredPrefs
import PrefsSystem

/// The store of property wrappers that name no store.
public enum DefaultPrefsStore {
    private static let chosen = Lock<AnyStore?>(nil)

    /// The store for wrappers that you create from now on. Existing wrappers keep their store.
    ///
    /// Until you assign a store, it is `UserDefaults.standard`.
    public static var current: any PersistentKeyValueStore {
        get { chosen.withLock { $0 }?.store ?? builtIn }
        set {
            let store = AnyStore(store: newValue)
            chosen.withLock { $0 = store }
        }
    }

    private static var builtIn: any PersistentKeyValueStore { UserDefaults.standard }
}
