import ArgumentParser
import FoundationEssentials
import LayeredPrefs

/// A type, as `--type` names it.
enum ValueType: String, CaseIterable, ExpressibleByArgument {
    case string, bool, int, real, data, date, array, dict

    init?(argument: String) {
        switch argument.lowercased() {
        case "boolean": self = .bool
        case "integer": self = .int
        case "float", "double", "number": self = .real
        case "list": self = .array
        case "dictionary", "object": self = .dict
        case let name: self.init(rawValue: name)
        }
    }

    /// The types with short descriptions, for shells that show them.
    static var completion: CompletionKind {
        .values(allCases.map { ($0.rawValue, $0.summary) })
    }

    private var summary: String {
        switch self {
        case .string: "text"
        case .bool: "true or false"
        case .int: "a whole number"
        case .real: "a number with a fraction"
        case .data: "bytes, in base64"
        case .date: "a time in ISO 8601"
        case .array: "a JSON array"
        case .dict: "a JSON object"
        }
    }

    /// The type that a word probably has: a number, `true` or `false`, or a JSON array or object. `nil` for any
    /// other text.
    init?(ofWord text: String) {
        let types: [ValueType] =
            switch text.utf8.first {
            case UInt8(ascii: "["): [.array]
            case UInt8(ascii: "{"): [.dict]
            case UInt8(ascii: "t"), UInt8(ascii: "f"): [.bool]
            default: text.utf8.contains { (0x30...0x39).contains($0) } ? [.int, .real] : []
            }
        guard let type = types.first(where: { $0.storedType.value(ofText: text) != nil }) else { return nil }
        self = type
    }

    /// The type of a value.
    init(of value: PrefsValue) {
        switch value.kind {
        case .string: self = .string
        case .bool: self = .bool
        case .integer: self = .int
        case .real: self = .real
        case .data: self = .data
        case .date: self = .date
        case .array: self = .array
        case .dictionary: self = .dict
        }
    }

    var storedType: PrefsStoredType {
        switch self {
        case .string: .string
        case .bool: .bool
        case .int: .integer
        case .real: .real
        case .data: .data
        case .date: .date
        case .array: .array(of: .any)
        case .dict: .dictionary(of: .any)
        }
    }

    /// Converts a value to this type. The value may already have the type, be parsed from text, be an integral
    /// real, or become text. Returns `nil` if none of these is possible.
    func converting(_ value: PrefsValue) -> PrefsValue? {
        if let same = storedType.value(of: value) { return same }
        switch (self, value) {
        case (.string, _): return .string(ValueText.plain(value))
        case (_, .string(let text)): return storedType.value(ofText: text)
        case (.int, .real(let number)): return Int(exactly: number).map { .integer(Int128($0)) }
        default: return nil
        }
    }
}

extension PrefsValue {
    /// The name of the value's type, as `--type` accepts it.
    var typeName: String { ValueType(of: self).rawValue }
}
