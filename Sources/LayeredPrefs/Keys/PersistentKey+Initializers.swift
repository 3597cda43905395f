extension PersistentKey {
    /// Creates a key whose values are stored in the default representation of their type.
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, defaultValue: defaultValue, representation: Value.persistentKeyValueRepresentation)
    }

    /// Creates a key whose default is computed at each read that needs it.
    @inlinable
    public init(_ id: String, default defaultValue: @escaping @Sendable () -> Value)
    where Value: KeyValuePersistible {
        self.init(id, representation: Value.persistentKeyValueRepresentation, default: defaultValue)
    }

    /// Creates a key with an optional value, stored in `representation`.
    @inlinable
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value = nil,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, representation: representation.optionalRepresentation)
    }
}

// Disfavoured, because a type such as `Int` conforms to both protocols, and a program may conform `Date`
// itself.
extension PersistentKey {
    /// Creates a key whose values have a stored form of their own.
    @_disfavoredOverload
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: PrefsStorageValue {
        self.init(id, defaultValue: defaultValue, representation: AtomicPrefsCoding<Value>())
    }

    /// Creates a key with an optional value that has a stored form of its own.
    @_disfavoredOverload
    @inlinable
    public init<Wrapped: PrefsStorageValue>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        let coding = AtomicPrefsCoding<Wrapped>()
        self.init(id, defaultValue: defaultValue, representation: coding.optionalRepresentation)
    }
}

extension PersistentKey {
    /// Creates a key whose values are stored with a coding, which may be written with a leading dot.
    @inlinable
    public init<Coding: PrefsCodable>(_ id: String, defaultValue: Value, coding: Coding)
    where Coding.Value == Value {
        self.init(id, defaultValue: defaultValue, representation: coding)
    }

    /// Creates a key with an optional value that is stored with a coding.
    @inlinable
    public init<Coding: PrefsCodable>(_ id: String, defaultValue: Value = nil, coding: Coding)
    where Value == Coding.Value? {
        self.init(id, defaultValue: defaultValue, representation: coding.optionalRepresentation)
    }
}
