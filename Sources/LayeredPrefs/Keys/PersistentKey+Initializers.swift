extension PersistentKey {
    /// Creates a key whose values are stored in the default coding of their type.
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, defaultValue: defaultValue, coding: Value.persistentKeyValueRepresentation)
    }

    /// Creates a key whose default is computed at each read that needs it.
    @inlinable
    public init(_ id: String, default defaultValue: @escaping @Sendable () -> Value)
    where Value: KeyValuePersistible {
        self.init(id, coding: Value.persistentKeyValueRepresentation, default: defaultValue)
    }

    /// Creates a key with an optional value, stored in `coding`.
    @inlinable
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value = nil,
        coding: some PrefsValueCoding<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, coding: coding.optionalPrefsCoding)
    }
}

// Disfavoured, because a type such as `Int` conforms to both protocols, and a program may conform `Date`
// itself.
extension PersistentKey {
    /// Creates a key whose values have a stored form of their own.
    @_disfavoredOverload
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: PrefsStorageValue {
        self.init(id, defaultValue: defaultValue, coding: AtomicPrefsCoding<Value>())
    }

    /// Creates a key with an optional value that has a stored form of its own.
    @_disfavoredOverload
    @inlinable
    public init<Wrapped: PrefsStorageValue>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        let coding = AtomicPrefsCoding<Wrapped>()
        self.init(id, defaultValue: defaultValue, coding: coding.optionalPrefsCoding)
    }
}
