import LayeredPrefs
public import Foundation
import LayeredPrefsUserDefaults

extension FoilDefaultStorage {
    /// Creates a property that is stored in Foundation's `UserDefaults`, and registers its default there.
    public init(wrappedValue: T, key: String, userDefaults: UserDefaults) {
        self.init(
            wrappedValue: wrappedValue, key: key, storage: UserDefaultsPrefsStorage(suite: userDefaults))
    }
}

extension FoilDefaultStorageOptional {
    /// Creates a property that is stored in Foundation's `UserDefaults`.
    public init(key: String, userDefaults: UserDefaults) {
        self.init(key: key, storage: UserDefaultsPrefsStorage(suite: userDefaults))
    }
}
