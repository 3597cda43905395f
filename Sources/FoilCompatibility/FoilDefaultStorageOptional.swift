public import LayeredPrefs
#if OpenCombine
    public import OpenCombine
#endif

/// An optional property that is stored under a key. If you assign `nil`, the key is removed.
///
/// ```swift
/// final class AppSettings {
///     @FoilDefaultStorageOptional(key: "timestamp")
///     var timestamp: Date?
/// }
/// ```
///
/// If the stored value has another type, the property is `nil`.
@propertyWrapper
public struct FoilDefaultStorageOptional<T: UserDefaultsSerializable> {
    private let property: StoredProperty<T?>

    /// The name that the value is stored under.
    public var key: String { property.key.id }

    /// Creates a property that is stored in the given storage.
    public init(key: String, storage: any PrefsStorage) {
        property = StoredProperty(optional: key, storage: storage)
    }

    /// Creates a property that is stored in ``FoilDefaults/storage``.
    public init(key: String) {
        self.init(key: key, storage: FoilDefaults.storage)
    }

    /// The effective value. If you assign a value, it is stored; a failure is reported as a diagnostic.
    public var wrappedValue: T? {
        get { property.value }
        nonmutating set { property.value = newValue }
    }

    #if OpenCombine
        /// A publisher of the current value and every later one.
        public var projectedValue: AnyPublisher<T?, Never> { property.publisher }
    #else
        /// The current value and every later one. With the trait `OpenCombine`, it is an `AnyPublisher`.
        public var projectedValue: FoilValues<T?> { FoilValues(property: property) }
    #endif
}

extension FoilDefaultStorageOptional: Sendable {}

extension FoilDefaultStorageOptional: Equatable where T: Equatable {
    /// Compares the keys and the values of two properties.
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
