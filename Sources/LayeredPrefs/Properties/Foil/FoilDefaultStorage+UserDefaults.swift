#if UserDefaults
public import Foundation

extension FoilDefaultStorage {
    /// A property kept in Foundation's defaults, where its default is registered.
    public init(wrappedValue: T, key: String, userDefaults: UserDefaults) {
        self.init(wrappedValue: wrappedValue, key: key, storage: userDefaults)
        userDefaults.register(property.key)
    }
}

extension FoilDefaultStorageOptional {
    /// A property kept in Foundation's defaults.
    public init(key: String, userDefaults: UserDefaults) {
        self.init(key: key, storage: userDefaults)
    }
}
#endif
