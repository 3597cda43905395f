public import Foundation
public import LayeredPrefs
import LayeredPrefsUserDefaults
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
    /// Returns the URLs in an array of texts, or `nil` if any element is not the text of a URL.
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

    /// Parses the text of a URL. The text must have a scheme.
    public static func _storedForm(ofText text: String) -> PrefsValue? {
        URL(unescaped: text)?.scheme == nil ? nil : .string(text)
    }

    public static var _expectation: String { "a string with a URL" }
}

/// An array is stored element by element, and absent elements are omitted. If any element does not decode, the whole
/// array is rejected.
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

/// A dictionary is stored value by value. Values are omitted if they are absent or do not decode.
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
