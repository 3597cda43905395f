public import LayeredPrefs

/// The coding of a key's value.
public typealias PersistentKeyValueRepresentation = PrefsValueCoding

/// Stores an optional value: `nil` is absence, which removes the key.
public typealias OptionalPersistentKeyValueRepresentation = OptionalPrefsCoding

/// The representation of values that are stored as themselves.
public typealias PrimitivePersistentKeyValueRepresentation<Value: PrefsStorageValue> =
    AtomicPrefsCoding<Value>

/// Stores an array element by element.
public typealias ArrayRepresentation<Element: PrefsValueCoding> = ArrayPrefsCoding<Element>

/// Stores a string-keyed dictionary value by value.
public typealias DictionaryRepresentation<Element: PrefsValueCoding> = DictionaryPrefsCoding<Element>

extension PrefsValueCoding {
    /// This representation for optional values.
    public var optionalRepresentation: OptionalPrefsCoding<Self> { optionalPrefsCoding }
}

extension PersistentKeyProtocol {
    /// The representation in which the value is stored.
    public var representation: any PrefsValueCoding<Value> { coding }
}
