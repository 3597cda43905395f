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
/// A stored value of another type reads as the default; it never crashes. The projected value, `$totalCount`,
/// publishes the current value, then each later one, wherever it was written through this library.
@propertyWrapper
public struct FoilDefaultStorage<T: UserDefaultsSerializable> {
    private let property: StoredProperty<T>

    /// The name under which the value is stored.
    public var key: String { property.key.id }

    /// Creates a property that is stored in the given storage. Foundation's defaults register the property's
    /// default.
    public init(wrappedValue: T, key: String, storage: any PrefsStorage) {
        property = StoredProperty(key, defaultValue: wrappedValue, storage: storage)
        property.registerDefault()
    }

    /// Creates a property that is stored in ``FoilDefaults/storage``.
    public init(wrappedValue: T, key: String) {
        self.init(wrappedValue: wrappedValue, key: key, storage: FoilDefaults.storage)
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: T {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    #if OpenCombine
        /// A publisher of the current value and of every later one.
        public var projectedValue: AnyPublisher<T, Never> { property.publisher }
    #else
        /// The current value, then every later one; with the trait `OpenCombine`, an `AnyPublisher`.
        public var projectedValue: FoilValues<T> { FoilValues(property: property) }
    #endif
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
