public import LayeredPrefs

/// A property with a default that is stored under a key.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorage(key: "totalCount")
///     var totalCount = 0
/// }
/// ```
///
/// A stored value of another type reads as the default and is reported as a diagnostic; it never crashes. The
/// projected value, `$totalCount`, is the asynchronous sequence of values: the current one, then each change,
/// wherever it was made.
@propertyWrapper
public struct FoilDefaultStorage<T: UserDefaultsSerializable & Sendable> {
    private let typedKey: PersistentKey<T>
    private let storage: any PrefsStorage

    /// The name under which the value is stored.
    public var key: String { typedKey.id }

    /// Creates a property that is stored in the given storage. Foundation's defaults register the property's
    /// default.
    public init(wrappedValue: T, key: String, storage: any PrefsStorage) {
        typedKey = PersistentKey(
            key, defaultValue: wrappedValue, coding: UserDefaultsSerializableRepresentation<T>())
        self.storage = storage
        storage.registerDefault(of: typedKey)
    }

    /// Creates a property that is stored in ``FoilDefaults/storage``.
    public init(wrappedValue: T, key: String) {
        self.init(wrappedValue: wrappedValue, key: key, storage: FoilDefaults.storage)
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: T {
        get { storage.get(typedKey) }
        nonmutating set { storage.reporting(key: key) { try storage.set(typedKey, to: newValue) } }
    }

    /// The asynchronous sequence of values: the current one, then each change.
    public var projectedValue: PersistentKeyValues<T> { storage.values(for: typedKey) }
}

extension FoilDefaultStorage: Sendable {}

extension FoilDefaultStorage: Equatable where T: Equatable {
    /// Properties are equal if their keys and values are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key && lhs.wrappedValue == rhs.wrappedValue
    }
}

extension FoilDefaultStorage: Hashable where T: Hashable {
    /// Hashes the key and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(wrappedValue)
    }
}
