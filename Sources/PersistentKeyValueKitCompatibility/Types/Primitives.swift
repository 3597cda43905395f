public import Foundation
public import LayeredPrefs
import PrefsDocuments

// Each function of the protocol's default is repeated where PersistentKeyValueKit declares one of its own.

extension Bool: PrimitiveKeyValuePersistible {}
extension Data: PrimitiveKeyValuePersistible {}
extension Double: PrimitiveKeyValuePersistible {}
extension Float: PrimitiveKeyValuePersistible {}
extension Int: PrimitiveKeyValuePersistible {}
extension String: PrimitiveKeyValuePersistible {}

/// A URL is stored as its absolute text.
extension URL: PrimitiveKeyValuePersistible {
    /// Returns the URLs whose texts an array contains; `nil` if any element is not the text of one.
    public static func get(from propertyListArray: [Any]) -> [Self]? {
        (propertyListArray as? [String])?.allOrNone { URL(unescaped: $0) }
    }

    public static func set(_ values: [Self], to propertyListArray: inout [Any]) {
        propertyListArray = values.map(\.absoluteString)
    }

    public static func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Self? {
        (propertyListDictionary[dictionaryKey] as? String).flatMap { URL(unescaped: $0) }
    }

    public static func set(
        _ dictionaryKey: String, to value: Self, in propertyListDictionary: inout [String: Any]
    ) {
        propertyListDictionary[dictionaryKey] = value.absoluteString
    }

    /// The argument of a command line is a URL only with a scheme.
    public static func _storedForm(ofText text: String) -> PrefsValue? {
        URL(unescaped: text)?.scheme == nil ? nil : .string(text)
    }

    public static var _expectation: String { "a string with a URL" }
}

/// An array is stored element by element; absent elements are omitted. One that does not decode rejects the
/// array.
extension Array: KeyValuePersistible where Element: KeyValuePersistible {}

extension Array: PrimitiveKeyValuePersistible where Element: KeyValuePersistible {
    public typealias PersistentKeyValueRepresentation = PrimitivePersistentKeyValueRepresentation<Self>

    private static var elementRepresentation: Element.PersistentKeyValueRepresentation {
        Element.persistentKeyValueRepresentation
    }

    public static func get(from propertyListArray: [Any]) -> [Self]? {
        propertyListArray.allOrNone { ($0 as? [Any]).flatMap(elementRepresentation.get(from:)) }
    }

    public static func set(_ values: [Self], to propertyListArray: inout [Any]) {
        propertyListArray = values.map(plain)
    }

    public static func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Self? {
        (propertyListDictionary[dictionaryKey] as? [Any]).flatMap(elementRepresentation.get(from:))
    }

    public static func set(
        _ dictionaryKey: String, to value: Self, in propertyListDictionary: inout [String: Any]
    ) {
        propertyListDictionary[dictionaryKey] = plain(value)
    }

    private static func plain(_ value: Self) -> [Any] {
        var array: [Any] = []
        elementRepresentation.set(value, to: &array)
        return array
    }

    public static func _encode(_ value: Self) -> PrefsValue? { PrefsValue(bridging: plain(value)) }

    public static func _decode(_ stored: PrefsValue) -> Self? {
        guard case .array(let elements) = stored else { return nil }
        return elements.allOrNone(elementRepresentation.decode)
    }

    public static func _storedForm(ofText text: String) -> PrefsValue? {
        ArrayPrefsCoding(element: elementRepresentation).storedForm(ofText: text)
    }

    public static var _expectation: String { "an array, each element \(elementRepresentation.expectation)" }
}

/// A dictionary is stored value by value. Values that are absent or do not decode are omitted.
extension Dictionary: KeyValuePersistible where Key == String, Value: KeyValuePersistible {}

extension Dictionary: PrimitiveKeyValuePersistible where Key == String, Value: KeyValuePersistible {
    public typealias PersistentKeyValueRepresentation = PrimitivePersistentKeyValueRepresentation<Self>

    private static var valueRepresentation: Value.PersistentKeyValueRepresentation {
        Value.persistentKeyValueRepresentation
    }

    public static func get(from propertyListArray: [Any]) -> [Self]? {
        propertyListArray.allOrNone { ($0 as? [String: Any]).map(values) }
    }

    public static func set(_ values: [Self], to propertyListArray: inout [Any]) {
        propertyListArray = values.map(plain)
    }

    public static func get(_ dictionaryKey: String, from propertyListDictionary: [String: Any]) -> Self? {
        (propertyListDictionary[dictionaryKey] as? [String: Any]).map(values)
    }

    public static func set(
        _ dictionaryKey: String, to value: Self, in propertyListDictionary: inout [String: Any]
    ) {
        propertyListDictionary[dictionaryKey] = plain(value)
    }

    private static func values(of contents: [String: Any]) -> Self {
        contents.reduce(into: [:]) { $0[$1.key] = valueRepresentation.get($1.key, from: contents) }
    }

    private static func plain(_ value: Self) -> [String: Any] {
        value.reduce(into: [:]) { valueRepresentation.set($1.key, to: $1.value, in: &$0) }
    }

    public static func _encode(_ value: Self) -> PrefsValue? { PrefsValue(bridging: plain(value)) }

    public static func _decode(_ stored: PrefsValue) -> Self? {
        guard case .dictionary(let contents) = stored else { return nil }
        return contents.compactMapValues(valueRepresentation.decode)
    }

    public static func _storedForm(ofText text: String) -> PrefsValue? {
        DictionaryPrefsCoding(element: valueRepresentation).storedForm(ofText: text)
    }

    public static var _expectation: String { "a dictionary, each value \(valueRepresentation.expectation)" }
}
