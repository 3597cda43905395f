public import LayeredPrefs

/// A preference as PrefsKit declares it, with a name, a value type and a coding.
///
/// The key structs are ``AnyPrefsKey`` and its variants. `@Pref` and LayeredPrefs' own functions use `PersistentKey`
/// instead, which also has validation, former names and documentation.
public protocol PrefsKey<Value, StorageValue>: Sendable
where Coding.Value == Value, Coding.StorageValue == StorageValue {
    /// The type that the program uses.
    associatedtype Value: Sendable
    /// The type that is stored.
    associatedtype StorageValue: LayeredPrefs.PrefsStorageValue
    /// The type of the coding.
    associatedtype Coding: PrefsCodable

    /// The name under which the value is stored.
    var key: String { get }

    /// The coding that converts between values and stored values.
    var coding: Coding { get }

    /// Returns the stored form of a value, or `nil` if it cannot be stored.
    func encode(_ value: Value) -> StorageValue?

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    func decode(_ storageValue: StorageValue) -> Value?
}

extension PrefsKey {
    /// Returns the stored form of a value, or `nil` if the value is `nil` or cannot be stored.
    @_disfavoredOverload
    public func encode(_ value: Value?) -> StorageValue? { value.flatMap { encode($0) } }

    /// Returns the value of a stored form, or `nil` if the stored form is `nil` or not valid.
    @_disfavoredOverload
    @inlinable
    public func decode(_ storageValue: StorageValue?) -> Value? { storageValue.flatMap { decode($0) } }

    /// Encodes a value with the coding.
    public func encode(_ value: Value) -> StorageValue? { coding.encode(prefsValue: value) }

    /// Decodes a stored form with the coding.
    @inlinable
    public func decode(_ storageValue: StorageValue) -> Value? { coding.decode(prefsValue: storageValue) }
}

extension PrefsKey where Value == StorageValue {
    /// Returns the value unchanged.
    public func encode(_ value: Value) -> StorageValue? { value }

    /// Returns the value unchanged.
    @inlinable public func decode(_ storageValue: StorageValue) -> Value? { storageValue }
}

/// A ``PrefsKey`` with a default.
public protocol DefaultedPrefsKey<Value, StorageValue>: PrefsKey {
    /// The value that a reader gets if no valid value is stored.
    var defaultValue: Value { get }
}

extension DefaultedPrefsKey {
    /// Returns the value of a stored form, or the default if the stored form is `nil` or not valid.
    @inlinable public func decodeDefaulted(_ storageValue: StorageValue?) -> Value {
        storageValue.flatMap { decode($0) } ?? defaultValue
    }
}
