public import LayeredPrefs
#if OpenCombine
    public import OpenCombine
#endif

/// An optional property that is stored under a key; assigning `nil` removes the key.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorageOptional(key: "timestamp")
///     var timestamp: Date?
/// }
/// ```
///
/// A stored value of another type reads as `nil`.
@propertyWrapper
public struct FoilDefaultStorageOptional<T: UserDefaultsSerializable> {
    private let property: StoredProperty<T?>

    /// The name under which the value is stored.
    public var key: String { property.key.id }

    /// Creates a property that is stored in the given storage.
    public init(key: String, storage: any PrefsStorage) {
        property = StoredProperty(optional: key, storage: storage)
    }

    /// Creates a property that is stored in ``FoilDefaults/storage``.
    public init(key: String) {
        self.init(key: key, storage: FoilDefaults.storage)
    }

    /// The effective value. Assigning stores a value; a failure is reported as a diagnostic.
    public var wrappedValue: T? {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    #if OpenCombine
        /// A publisher of the current value and of every later one.
        public var projectedValue: AnyPublisher<T?, Never> { property.publisher }
    #else
        /// The current value, then every later one; with the trait `OpenCombine`, an `AnyPublisher`.
        public var projectedValue: FoilValues<T?> { FoilValues(property: property) }
    #endif
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
