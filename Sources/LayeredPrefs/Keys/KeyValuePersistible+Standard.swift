public import FoundationEssentials

extension Bool: PrimitiveKeyValuePersistible {}
extension Data: PrimitiveKeyValuePersistible {}
extension Double: PrimitiveKeyValuePersistible {}
extension Float: PrimitiveKeyValuePersistible {}
extension Int: PrimitiveKeyValuePersistible {}
extension String: PrimitiveKeyValuePersistible {}

extension Array: KeyValuePersistible where Element: KeyValuePersistible {
    public static var persistentKeyValueRepresentation: ArrayRepresentation<Element.DefaultRepresentation> {
        ArrayRepresentation(Element.persistentKeyValueRepresentation)
    }
}

extension Dictionary: KeyValuePersistible where Key == String, Value: KeyValuePersistible {
    public static var persistentKeyValueRepresentation: DictionaryRepresentation<Value.DefaultRepresentation>
    {
        DictionaryRepresentation(Value.persistentKeyValueRepresentation)
    }
}

extension Optional: KeyValuePersistible where Wrapped: KeyValuePersistible {
    public static var persistentKeyValueRepresentation:
        OptionalPersistentKeyValueRepresentation<Wrapped.DefaultRepresentation>
    {
        OptionalPersistentKeyValueRepresentation(Wrapped.persistentKeyValueRepresentation)
    }
}

extension URL: KeyValuePersistible {
    public static var persistentKeyValueRepresentation: URLStringPrefsCoding { URLStringPrefsCoding() }
}
