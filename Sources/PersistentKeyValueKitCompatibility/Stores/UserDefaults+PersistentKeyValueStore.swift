#if UserDefaults
    public import Foundation
    public import LayeredPrefs

    extension UserDefaultsPrefsStorage: PersistentKeyValueStore {}

    /// `UserDefaults` reads and writes typed keys itself; `UserDefaultsPrefsStorage` describes its behaviour
    /// on Linux.
    extension UserDefaults: PersistentKeyValueStore {
        /// These defaults as a storage.
        public var prefsStorage: any PrefsStorage { UserDefaultsPrefsStorage(suite: self) }

        /// Adds keys' defaults to the registration domain, where code that reads these defaults by other
        /// means finds them. A stored value takes precedence; an absent default registers nothing.
        public func register(_ keys: any PersistentKeyProtocol...) { register(keys) }

        /// Adds keys' defaults to the registration domain.
        public func register(_ keys: [any PersistentKeyProtocol]) {
            UserDefaultsPrefsStorage(suite: self).register(keys)
        }
    }

    extension PersistentKeyValueStore where Self == UserDefaults {
        /// The process's standard defaults.
        public static var local: UserDefaults { .standard }
    }
#endif
