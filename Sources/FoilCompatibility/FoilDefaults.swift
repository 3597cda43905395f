public import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsSystem

/// The default storage for Foil's property wrappers.
public enum FoilDefaults {
    private static let chosen = Lock<(any PrefsStorage)?>(nil)

    /// The storage for wrappers that you create from now on. Existing wrappers keep their storage.
    ///
    /// Until you assign a storage, it is `UserDefaultsPrefsStorage.standard`.
    public static var storage: any PrefsStorage {
        get { chosen.withLock { $0 } ?? builtIn }
        set { chosen.withLock { $0 = newValue } }
    }

    private static var builtIn: any PrefsStorage { UserDefaultsPrefsStorage.standard }
}
