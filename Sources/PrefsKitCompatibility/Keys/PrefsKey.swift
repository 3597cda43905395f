public import LayeredPrefs

/// A preference as PrefsKit declares it: a name, a value type, a coding.
///
/// The key structs are ``AnyPrefsKey`` and its variants. `@Pref` and LayeredPrefs' own functions use
/// `PersistentKey`, which additionally carries validation, former names and documentation.
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

    /// The coding between value and stored value.
    var coding: Coding { get }

    /// Returns the stored form of a value, or `nil` if it cannot be stored.
    func encode(_ value: Value) -> StorageValue?

    /// Returns the value of a stored form, or `nil` if it is not valid.
    func decode(_ storageValue: StorageValue) -> Value?
}

extension PrefsKey {
    /// Returns the stored form of a value; `nil` for `nil`.
    @_disfavoredOverload
    public func encode(_ value: Value?) -> StorageValue? { value.flatMap { encode($0) } }

    /// Returns the value of a stored form; `nil` for `nil`.
    @_disfavoredOverload
    public func decode(_ storageValue: StorageValue?) -> Value? { storageValue.flatMap { decode($0) } }

    /// Returns what the coding encodes.
    public func encode(_ value: Value) -> StorageValue? { coding.encode(prefsValue: value) }

    /// Returns what the coding decodes.
    public func decode(_ storageValue: StorageValue) -> Value? { coding.decode(prefsValue: storageValue) }
}

extension PrefsKey where Value == StorageValue {
    /// Returns the value.
    public func encode(_ value: Value) -> StorageValue? { value }

    /// Returns the value.
    public func decode(_ storageValue: StorageValue) -> Value? { storageValue }
}

/// A ``PrefsKey`` with a default.
public protocol DefaultedPrefsKey<Value, StorageValue>: PrefsKey {
    /// The value if nothing valid is stored.
    var defaultValue: Value { get }
}

extension DefaultedPrefsKey {
    /// Returns the value of a stored form, or the default if there is none or if it is not valid.
    public func decodeDefaulted(_ storageValue: StorageValue?) -> Value {
        storageValue.flatMap { decode($0) } ?? defaultValue
    }
}
