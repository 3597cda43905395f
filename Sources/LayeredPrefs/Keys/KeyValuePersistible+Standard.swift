public import FoundationEssentials

extension Bool: PrimitiveKeyValuePersistible {}
extension Data: PrimitiveKeyValuePersistible {}
extension Double: PrimitiveKeyValuePersistible {}
extension Float: PrimitiveKeyValuePersistible {}
extension Int: PrimitiveKeyValuePersistible {}
extension String: PrimitiveKeyValuePersistible {}

extension Array: KeyValuePersistible where Element: KeyValuePersistible {
    /// The representation that stores each element in the element type's representation.
    public static var persistentKeyValueRepresentation: ArrayRepresentation<Element.DefaultRepresentation> {
        ArrayRepresentation(Element.persistentKeyValueRepresentation)
    }
}

extension Dictionary: KeyValuePersistible where Key == String, Value: KeyValuePersistible {
    /// The representation that stores each value in the value type's representation.
    public static var persistentKeyValueRepresentation: DictionaryRepresentation<Value.DefaultRepresentation>
    {
        DictionaryRepresentation(Value.persistentKeyValueRepresentation)
    }
}

extension Optional: KeyValuePersistible where Wrapped: KeyValuePersistible {
    /// The representation that stores a value in the wrapped type's representation, and `nil` as absence.
    public static var persistentKeyValueRepresentation: OptionalPrefsCoding<Wrapped.DefaultRepresentation> {
        OptionalPrefsCoding(Wrapped.persistentKeyValueRepresentation)
    }
}

extension URL: KeyValuePersistible {
    /// The representation that stores a URL as a string.
    public static var persistentKeyValueRepresentation: URLStringPrefsCoding { URLStringPrefsCoding() }
}
