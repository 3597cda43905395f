public import LayeredPrefs

/// An optional property that is stored under a key; assigning `nil` removes the key.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorageOptional(key: "timestamp")
///     var timestamp: Date?
/// }
/// ```
///
/// A stored value of another type reads as `nil` and is reported as a diagnostic.
@propertyWrapper
public struct FoilDefaultStorageOptional<T: UserDefaultsSerializable & Sendable> {
    private let typedKey: PersistentKey<T?>
    private let storage: any PrefsStorage

    /// The name under which the value is stored.
    public var key: String { typedKey.id }

    /// Creates a property that is stored in the given storage.
    public init(key: String, storage: any PrefsStorage) {
        typedKey = PersistentKey<T?>(
            key, defaultValue: nil, coding: UserDefaultsSerializableRepresentation<T>())
        self.storage = storage
    }

    /// Creates a property that is stored in ``FoilDefaults/storage``.
    public init(key: String) {
        self.init(key: key, storage: FoilDefaults.storage)
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: T? {
        get { storage.get(typedKey) }
        nonmutating set { storage.reporting(key: key) { try storage.set(typedKey, to: newValue) } }
    }

    /// The asynchronous sequence of values: the current one, then each change.
    public var projectedValue: PersistentKeyValues<T?> { storage.values(for: typedKey) }
}

extension FoilDefaultStorageOptional: Sendable {}

extension FoilDefaultStorageOptional: Equatable where T: Equatable {
    /// Properties are equal if their keys and values are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key && lhs.wrappedValue == rhs.wrappedValue
    }
}

extension FoilDefaultStorageOptional: Hashable where T: Hashable {
    /// Hashes the key and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(wrappedValue)
    }
}
