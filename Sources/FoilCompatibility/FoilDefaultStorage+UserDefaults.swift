import LayeredPrefs
#if UserDefaults
    public import Foundation

    extension FoilDefaultStorage {
        /// Creates a property that is stored in Foundation's defaults, with which its default is registered.
        public init(wrappedValue: T, key: String, userDefaults: UserDefaults) {
            self.init(
                wrappedValue: wrappedValue, key: key, storage: UserDefaultsPrefsStorage(suite: userDefaults))
        }
    }

    extension FoilDefaultStorageOptional {
        /// Creates a property that is stored in Foundation's defaults.
        public init(key: String, userDefaults: UserDefaults) {
            self.init(key: key, storage: UserDefaultsPrefsStorage(suite: userDefaults))
        }
    }
#endif
