extension PersistentKey {
    /// A key whose values are stored as their type says.
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, defaultValue: defaultValue, representation: Value.persistentKeyValueRepresentation)
    }

    /// A key whose default is worked out at each read that needs it.
    @inlinable
    public init(_ id: String, default defaultValue: @escaping @Sendable () -> Value)
    where Value: KeyValuePersistible {
        self.init(id, representation: Value.persistentKeyValueRepresentation, default: defaultValue)
    }

    /// A key whose values, where there are any, are stored as `representation` says.
    @inlinable
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value = nil,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, representation: representation.optionalRepresentation)
    }
}

// Disfavoured, since a type such as `Int` satisfies both families and a program may conform `Date` itself.
extension PersistentKey {
    /// A key whose values have a stored form of their own.
    @_disfavoredOverload
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: PrefsStorageValue {
        self.init(id, defaultValue: defaultValue, representation: AtomicPrefsCoding<Value>())
    }

    /// A key whose values, where there are any, have a stored form of their own.
    @_disfavoredOverload
    @inlinable
    public init<Wrapped: PrefsStorageValue>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        let coding = AtomicPrefsCoding<Wrapped>()
        self.init(id, defaultValue: defaultValue, representation: coding.optionalRepresentation)
    }
}

extension PersistentKey {
    /// A key whose values are stored as a coding says, which may be spelled by its leading dot.
    @inlinable
    public init<Coding: PrefsCodable>(_ id: String, defaultValue: Value, coding: Coding)
    where Coding.Value == Value {
        self.init(id, defaultValue: defaultValue, representation: coding)
    }

    /// A key whose values, where there are any, are stored as a coding says.
    @inlinable
    public init<Coding: PrefsCodable>(_ id: String, defaultValue: Value = nil, coding: Coding)
    where Value == Coding.Value? {
        self.init(id, defaultValue: defaultValue, representation: coding.optionalRepresentation)
    }
}
