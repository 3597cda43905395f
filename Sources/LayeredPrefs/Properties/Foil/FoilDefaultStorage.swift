/// A property that is stored under a key, with a default.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorage(key: "totalCount")
///     var totalCount = 0
/// }
/// ```
///
/// A stored value of another type gives the default and a diagnostic, never a crash. The projected value,
/// `$totalCount`, is the sequence of values: the current one, then each change by anybody.
@propertyWrapper
public struct FoilDefaultStorage<T: UserDefaultsSerializable & Sendable> {
    let property: PersistentValue<PersistentKey<T>>

    /// The name under which the value is stored.
    public var key: String { property.key.id }

    /// A property kept in a store of your choice.
    public init(wrappedValue: T, key: String, storage: some PersistentKeyValueStore) {
        let key = PersistentKey(
            key, defaultValue: wrappedValue, representation: UserDefaultsSerializableRepresentation<T>())
        property = PersistentValue(key, store: storage)
    }

    /// A property kept in ``DefaultPrefsStore/current``; its default is registered where that is Foundation's
    /// defaults.
    public init(wrappedValue: T, key: String) {
        self.init(wrappedValue: wrappedValue, key: key, storage: DefaultPrefsStore.current)
        registerDefault()
    }

    /// The value in force; assigning stores it, and reports a failure as a diagnostic.
    public var wrappedValue: T {
        get { property.wrappedValue }
        nonmutating set { property.wrappedValue = newValue }
    }

    /// The current value, then each change.
    public var projectedValue: PersistentKeyValues<PersistentKey<T>> { property.projectedValue }
}

extension FoilDefaultStorage: Sendable {}

extension FoilDefaultStorage: Equatable where T: Equatable {
    /// Two properties are equal that have one key and one value.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.key == rhs.key && lhs.wrappedValue == rhs.wrappedValue
    }
}

extension FoilDefaultStorage: Hashable where T: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(wrappedValue)
    }
}
