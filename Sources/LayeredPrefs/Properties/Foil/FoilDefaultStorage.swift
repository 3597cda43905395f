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
    let property: PersistentValue<PersistentKey<T>>

    /// The name under which the value is stored.
    public var key: String { property.key.id }

    /// Creates a property that is stored in the given store.
    public init(wrappedValue: T, key: String, storage: some PrefsStorage) {
        let key = PersistentKey(
            key, defaultValue: wrappedValue, coding: UserDefaultsSerializableRepresentation<T>())
        property = PersistentValue(key, store: storage)
    }

    /// Creates a property that is stored in ``DefaultPrefsStore/current``. If that store is Foundation's
    /// defaults, the property's default is registered with it.
    public init(wrappedValue: T, key: String) {
        self.init(wrappedValue: wrappedValue, key: key, storage: DefaultPrefsStore.current)
        registerDefault()
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: T {
        get { property.wrappedValue }
        nonmutating set { property.wrappedValue = newValue }
    }

    /// The asynchronous sequence of values: the current one, then each change.
    public var projectedValue: PersistentKeyValues<T> { property.projectedValue }
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
