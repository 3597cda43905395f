public import LayeredPrefs
import PrefsSystem

/// The store of property wrappers that name none.
public enum DefaultPrefsStore {
    private static let chosen = Lock<(any PrefsStorage)?>(nil)

    /// The store for wrappers created from now on; existing wrappers keep theirs.
    ///
    /// Until a store is assigned it is `UserDefaultsPrefsStorage.standard` or, without the trait
    /// `UserDefaults`, a storage in memory.
    public static var current: any PrefsStorage {
        get { chosen.withLock { $0 } ?? builtIn }
        set { chosen.withLock { $0 = newValue } }
    }

    #if UserDefaults
        private static var builtIn: any PrefsStorage { UserDefaultsPrefsStorage.standard }
    #else
        private static let builtIn = DictionaryPrefsStorage()
    #endif
}
