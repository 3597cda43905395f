import FoundationEssentials
import PrefsDocuments

/// The type of a key's stored form, after its coding: the type that a file must use.
public indirect enum PrefsStoredType: Sendable, Hashable {
    /// A type without elements.
    case string, bool, integer, real, data, date
    /// Text such as `1h30m`.
    case duration
    /// An integer, in bytes, or text such as `64 KiB`.
    case byteCount
    /// An array whose elements have one type.
    case array(of: PrefsStoredType)
    /// A dictionary whose values have one type.
    case dictionary(of: PrefsStoredType)
    /// Any type; also the element type of mixed collections.
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
        case .duration: "duration"
        case .byteCount: "byte count"
        case .array(let element): "array of \(element)"
        case .dictionary(let value): "dictionary of \(value)"
        case .any: "any value"
        }
    }
}

extension PrefsStoredType {
    /// Creates the stored type of a storage value type; `any` for types that are not this library's.
    init(of type: any PrefsStorageValue.Type) {
        self = (type as? any NamesStoredType.Type)?.storedType ?? .any
    }
}

extension PrefsStoredType {
    /// Creates the stored type of a struct's field.
    init(ofField type: (any Decodable.Type)?) {
        func rawType<Value: RawRepresentable>(of type: Value.Type) -> Any.Type { Value.RawValue.self }
        switch type {
        case let known as any PrefsStorageValue.Type: self.init(of: known)
        case is Duration.Type: self = .duration
        case is URL.Type: self = .string
        case is any FixedWidthInteger.Type: self = .integer
        case let raw as any RawRepresentable.Type:
            self = (rawType(of: raw) as? any PrefsStorageValue.Type).map { Self(of: $0) } ?? .any
        default: self = .any
        }
    }
}

/// A storage value type that knows its stored type.
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
extension PrefsByteCount: NamesStoredType {
    fileprivate static var storedType: PrefsStoredType { .byteCount }
}
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

extension PrefsStoredType {
    /// True if a flag needs no value.
    var isBoolean: Bool { if case .bool = self { true } else { false } }
}
