import FoundationEssentials
import PrefsDocuments

/// The type of a key's stored form, which is the type that a file must use.
public indirect enum PrefsStoredType: Sendable, Hashable {
    /// A type without elements.
    case string, bool, integer, real, data, date
    /// Text such as `1h30m`.
    case duration
    /// An integer in bytes, or text such as `64 KiB`.
    case byteCount
    /// An array whose elements have one type.
    case array(of: PrefsStoredType)
    /// A dictionary whose values have one type.
    case dictionary(of: PrefsStoredType)
    /// A dictionary with the fields of a struct. If `isComplete` is false, it may have other fields, too.
    case structure(fields: [Field], isComplete: Bool)
    /// Any type. It is also the element type of mixed collections.
    case any

    /// A field of a struct.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The type of its value.
        public let type: PrefsStoredType
        /// A Boolean value that indicates whether the struct does not decode without the field, or declares
        /// it as required.
        public let isRequired: Bool
        /// The values of the type that the field may have.
        public let limits: PrefsStoredType.Limits
        /// The purpose of the field.
        public let documentation: String?

        /// Creates a field.
        public init(
            name: String, type: PrefsStoredType, isRequired: Bool,
            limits: PrefsStoredType.Limits = PrefsStoredType.Limits(),
            documentation: String? = nil
        ) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.limits = limits
            self.documentation = documentation
        }
    }
}

extension PrefsStoredType: CustomStringConvertible {
    /// The type in words, without an article: `array of integer`, `array of {name: string, weight?: integer}`.
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
        case .structure(let fields, let isComplete):
            "{\((fields.map(\.description) + (isComplete ? [] : ["…"])).joined(separator: ", "))}"
        case .any: "any value"
        }
    }
}

extension PrefsStoredType.Field: CustomStringConvertible {
    /// The name and the type. A question mark follows the name if the field may be absent.
    public var description: String { "\(name)\(isRequired ? "" : "?"): \(type)" }
}

extension PrefsStoredType {
    /// Creates the stored type of a storage value type; `any` for types that are not this library's.
    init(of type: any PrefsStorageValue.Type) {
        self = (type as? any NamesStoredType.Type)?.storedType ?? .any
    }
}

extension PrefsStoredType {
    /// Creates the stored type of a struct's field, or of any other `Decodable` type. This runs the `init(from:)`
    /// of each struct that it meets.
    init(ofField type: (any Decodable.Type)?) { self.init(ofField: type, within: []) }

    /// - Parameter outer: The structs around the field. The field may contain one of them again.
    private init(ofField type: (any Decodable.Type)?, within outer: [any Decodable.Type]) {
        func rawType<Value: RawRepresentable>(of type: Value.Type) -> Any.Type { Value.RawValue.self }
        func part(_ type: any Decodable.Type) -> Self { Self(ofField: type, within: outer) }
        switch type {
        case let known as any PrefsStorageValue.Type: self.init(of: known)
        case is Duration.Type: self = .duration
        case is URL.Type: self = .string
        case is Decimal.Type: self = .any
        case is any FixedWidthInteger.Type: self = .integer
        case let raw as any RawRepresentable.Type:
            self = (rawType(of: raw) as? any PrefsStorageValue.Type).map { Self(of: $0) } ?? .any
        case let optional as any OptionalDecodable.Type: self = part(optional.wrappedDecodable)
        case let dictionary as any NamedValues.Type: self = .dictionary(of: part(dictionary.elementDecodable))
        case let array as any CollectionDecodable.Type where type is any ExpressibleByArrayLiteral.Type:
            self = .array(of: part(array.elementDecodable))
        case let type?: self.init(ofStruct: type, within: outer)
        case nil: self = .any
        }
    }

    private init(ofStruct type: any Decodable.Type, within outer: [any Decodable.Type]) {
        guard !outer.contains(where: { $0 == type }) else {
            self = .any
            return
        }
        let (found, inner) = (StructFields(of: type), outer + [type])
        if let wrapped = found.wrapped {
            self.init(ofField: wrapped, within: inner)
        } else if let fields = found.fields, !fields.isEmpty {
            // A section has defaults for fields that are not set.
            let defaults = (type as? any PrefsSection.Type).flatMap {
                (try? PrefsValueEncoder().encode($0.init()))?.dictionary
            }
            self = .structure(
                fields: fields.map { field in
                    var limits = PrefsStoredType.Limits()
                    limits.values = field.allowedValues
                    return Field(
                        name: field.name, type: Self(ofField: field.type, within: inner),
                        isRequired: !field.isOptional && defaults?[field.name] == nil, limits: limits)
                },
                isComplete: found.isComplete)
        } else {
            self = .any
        }
    }
}

/// A dictionary whose keys are strings.
private protocol NamedValues: CollectionDecodable {}

extension Dictionary: NamedValues where Key == String, Value: Decodable {}

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
    /// Returns true if a field's type is stored as a boolean. The elements of a collection do not count.
    static func isBoolean(field type: (any Decodable.Type)?) -> Bool {
        type is any CollectionDecodable.Type ? false : Self(ofField: type).isBoolean
    }

    /// True if a flag needs no value.
    package var isBoolean: Bool { if case .bool = self { true } else { false } }

    /// True if a dictionary may be of this type.
    package var mayBeDictionary: Bool {
        switch self {
        case .dictionary, .structure, .any: true
        case .string, .bool, .integer, .real, .data, .date, .duration, .byteCount, .array: false
        }
    }
}

/// A coding of stored values. The key's type does not tell their type.
protocol FlagCoding {
    /// True if a command-line flag of the key needs no value.
    var isBoolean: Bool { get }
}
