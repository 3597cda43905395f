import FoundationEssentials

extension PrefsValue.Kind: CustomStringConvertible {
    /// The kind with its article, for messages: `an integer`.
    public var description: String {
        switch self {
        case .string: "a string"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .real: "a real"
        case .data: "data"
        case .date: "a date"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }

    /// The kind with the definite article, for messages that a value follows: `the integer`.
    package var definite: String { self == .bool ? "the boolean" : "the \(rawValue)" }
}

extension PrefsValue: CustomStringConvertible {
    /// The value on one line: strings quoted, data in base64, dates in ISO 8601, dictionaries by sorted key.
    public var description: String {
        switch self {
        case .string(let value): Self.quoted(value)
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .data(let value): "<\(value.base64EncodedString())>"
        case .date(let value): Self.iso8601(value)
        case .array(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
        case .dictionary(let content): Self.listing(content)
        }
    }

    private static func listing(_ content: [String: PrefsValue]) -> String {
        let entries = content.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }
        return "{\(entries.joined(separator: ", "))}"
    }

    private static func iso8601(_ date: Date) -> String {
        DateText.text(of: date) ?? "date(\(date.timeIntervalSinceReferenceDate))"
    }

    private static func quoted(_ text: String) -> String {
        text.inDoubleQuotes(replacing: { $0.isControl ? $0.escape : nil })
    }
}
