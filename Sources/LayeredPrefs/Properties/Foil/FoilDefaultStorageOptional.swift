/// A property that is stored under a key and may be absent; assigning `nil` removes it.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorageOptional(key: "timestamp")
///     var timestamp: Date?
/// }
/// ```
///
/// A stored value of another type reads as `nil` and gives a diagnostic.
@propertyWrapper
public struct FoilDefaultStorageOptional<T: UserDefaultsSerializable & Sendable> {
    private let property: PersistentValue<PersistentKey<T?>>

    /// The name under which the value is stored.
    public var key: String { property.key.id }

    /// A property kept in a store of your choice.
    public init(key: String, storage: some PersistentKeyValueStore) {
        let key = PersistentKey<T?>(
            key, defaultValue: nil, representation: UserDefaultsSerializableRepresentation<T>())
        property = PersistentValue(key, store: storage)
    }

    /// A property kept in ``DefaultPrefsStore/current``.
    public init(key: String) {
        self.init(key: key, storage: DefaultPrefsStore.current)
    }

    /// The value in force; assigning stores it, and reports a failure as a diagnostic.
    public var wrappedValue: T? {
        get { property.wrappedValue }
        nonmutating set { property.wrappedValue = newValue }
    }

    /// The current value, then each change.
    public var projectedValue: PersistentKeyValues<PersistentKey<T?>> { property.projectedValue }
}

extension FoilDefaultStorageOptional: Sendable {}

extension FoilDefaultStorageOptional: Equatable where T: Equatable {
    /// Two properties are equal that have one key and one value.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key && lhs.wrappedValue == rhs.wrappedValue
    }
}

extension FoilDefaultStorageOptional: Hashable where T: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(wrappedValue)
    }
}
