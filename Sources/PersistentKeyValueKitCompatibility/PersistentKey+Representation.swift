public import LayeredPrefs

extension PersistentKey {
    /// Creates a key whose values are stored in `representation`.
    public init(
        _ id: String, defaultValue: Value, representation: some PersistentKeyValueRepresentation<Value>
    ) {
        self.init(id, defaultValue: defaultValue, coding: representation)
    }

    /// Creates a key with an optional value, stored in `representation`.
    public init<Wrapped>(
        _ id: String, defaultValue: Value = nil,
        representation: some PersistentKeyValueRepresentation<Wrapped>
    ) where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, coding: representation.optionalRepresentation)
    }

    /// Creates a key whose values are stored in the default representation of their type.
    ///
    /// A program may give its own default representation to a type that already has a default coding, such as `Date`.
    public init(_ id: String, defaultValue: Value) where Value: KeyValuePersistible {
        self.init(id, defaultValue: defaultValue, coding: Value.persistentKeyValueRepresentation)
    }

    /// Creates a key with an optional value, stored in the default representation of its type.
    public init<Wrapped: KeyValuePersistible>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        self.init(
            id, defaultValue: defaultValue,
            coding: Wrapped.persistentKeyValueRepresentation.optionalRepresentation)
    }
}
