import FoundationEssentials

/// What a key stores, after its coding: the type that a file has to use.
public indirect enum PrefsStoredType: Sendable, Hashable {
    case string, bool, integer, real, data, date
    case array(of: PrefsStoredType)
    case dictionary(of: PrefsStoredType)
    /// Anything; mixed collections are made of this.
    case any
}

extension PrefsStoredType: CustomStringConvertible {
    /// The type in words, without an article: `array of integer`.
    public var description: String {
        switch self {
        case .string: "string"
        case .bool: "boolean"
        case .integer: "integer"
        case .real: "real"
        case .data: "data"
        case .date: "date"
        case .array(let element): "array of \(element)"
        case .dictionary(let value): "dictionary of \(value)"
        case .any: "any value"
        }
    }
}

extension PrefsStoredType {
    /// What a storage value type is stored as; `any` for types that are none of this library's.
    init(of type: any PrefsStorageValue.Type) {
        self = (type as? any NamesStoredType.Type)?.storedType ?? .any
    }
}

/// A storage value type that says what it is stored as.
private protocol NamesStoredType {
    static var storedType: PrefsStoredType { get }
}

extension String: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .string } }
extension Bool: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .bool } }
extension Int: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .integer } }
extension Double: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .real } }
extension Float: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .real } }
extension Data: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .data } }
extension Date: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .date } }
extension UUID: NamesStoredType { fileprivate static var storedType: PrefsStoredType { .string } }

extension Array: NamesStoredType where Element: PrefsStorageValue {
    fileprivate static var storedType: PrefsStoredType { .array(of: PrefsStoredType(of: Element.self)) }
}

extension Set: NamesStoredType where Element: PrefsStorageValue {
    fileprivate static var storedType: PrefsStoredType { .array(of: PrefsStoredType(of: Element.self)) }
}

extension Dictionary: NamesStoredType where Key == String, Value: PrefsStorageValue {
    fileprivate static var storedType: PrefsStoredType { .dictionary(of: PrefsStoredType(of: Value.self)) }
}
