public import LayeredPrefs
import PrefsSystem

/// The default storage for Foil's property wrappers.
public enum FoilDefaults {
    private static let chosen = Lock<(any PrefsStorage)?>(nil)

    /// The storage for wrappers that you create from now on. Existing wrappers keep their storage.
    ///
    /// Until you assign a storage, it is ``UserDefaultsPrefsStorage/standard`` or, without the trait `UserDefaults`,
    /// a storage in memory.
    public static var storage: any PrefsStorage {
        get { chosen.withLock { $0 } ?? builtIn }
        set { chosen.withLock { $0 = newValue } }
    }

    #if UserDefaults
        private static var builtIn: any PrefsStorage { UserDefaultsPrefsStorage.standard }
    #else
        private static let builtIn = DictionaryPrefsStorage()
    #endif
}
