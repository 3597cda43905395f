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
    private let property: PersistentValue<PersistentKey<T?>>

    /// The name under which the value is stored.
    public var key: String { property.key.id }

    /// Creates a property that is stored in the given store.
    public init(key: String, storage: some PrefsStorage) {
        let key = PersistentKey<T?>(
            key, defaultValue: nil, coding: UserDefaultsSerializableRepresentation<T>())
        property = PersistentValue(key, store: storage)
    }

    /// Creates a property that is stored in ``DefaultPrefsStore/current``.
    public init(key: String) {
        self.init(key: key, storage: DefaultPrefsStore.current)
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: T? {
        get { property.wrappedValue }
        nonmutating set { property.wrappedValue = newValue }
    }

    /// The asynchronous sequence of values: the current one, then each change.
    public var projectedValue: PersistentKeyValues<T?> { property.projectedValue }
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
