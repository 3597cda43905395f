public import LayeredPrefs
#if OpenCombine
    public import OpenCombine
#endif

/// A property with a default that is stored under a key.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorage(key: "totalCount")
///     var totalCount = 0
/// }
/// ```
///
/// If the stored value has another type, the property has its default; it never crashes. The projected value,
/// `$totalCount`, publishes the current value and each later one, however it was written through this library.
@propertyWrapper
public struct FoilDefaultStorage<T: UserDefaultsSerializable> {
    private let property: StoredProperty<T>

    /// The name that the value is stored under.
    public var key: String { property.key.id }

    /// Creates a property that is stored in the given storage. If this is Foundation's `UserDefaults`, the property's
    /// default is registered there.
    public init(wrappedValue: T, key: String, storage: any PrefsStorage) {
        property = StoredProperty(key, defaultValue: wrappedValue, storage: storage)
        property.registerDefault()
    }

    /// Creates a property that is stored in ``FoilDefaults/storage``.
    public init(wrappedValue: T, key: String) {
        self.init(wrappedValue: wrappedValue, key: key, storage: FoilDefaults.storage)
    }

    /// The effective value. If you assign a value, it is stored; a failure is reported as a diagnostic.
    public var wrappedValue: T {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    #if OpenCombine
        /// A publisher of the current value and every later one.
        public var projectedValue: AnyPublisher<T, Never> { property.publisher }
    #else
        /// The current value and every later one. With the trait `OpenCombine`, it is an `AnyPublisher`.
        public var projectedValue: FoilValues<T> { FoilValues(property: property) }
    #endif
}

extension FoilDefaultStorage: Sendable {}

extension FoilDefaultStorage: Equatable where T: Equatable {
    /// Compares the keys and the values of two properties.
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
