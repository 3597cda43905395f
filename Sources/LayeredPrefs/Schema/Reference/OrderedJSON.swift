import PrefsDocuments
import FoundationEssentials

/// A JSON document whose objects keep the order of their members.
indirect enum OrderedJSON {
    case string(String)
    case bool(Bool)
    /// A number in its written form.
    case number(String)
    case array([OrderedJSON])
    case object([(String, OrderedJSON)])

    /// Creates a document from a stored value. Data, dates and numbers that JSON cannot represent become
    /// strings.
    init(_ value: PrefsValue) {
        switch value {
        case .string(let value): self = .string(value)
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number("\(value)")
        case .real(let value): self = value.isFinite ? .number("\(value)") : .string("\(value)")
        case .data(let value): self = .string(value.base64EncodedString())
        case .date(let value): self = .string(value.formatted(.iso8601))
        case .array(let elements): self = .array(elements.map { OrderedJSON($0) })
        case .dictionary(let content):
            self = .object(content.sorted { $0.key < $1.key }.map { ($0.key, OrderedJSON($0.value)) })
        }
    }

    /// The document as text, indented by two spaces per level.
    var text: String { text(indent: "") }

    private func text(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .string(let value): return Self.quoted(value)
        case .bool(let value): return "\(value)"
        case .number(let value): return value
        case .array(let elements):
            if elements.isEmpty { return "[]" }
            return "[\(elements.map { $0.text(indent: inner) }.joined(separator: ", "))]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { "\(inner)\(Self.quoted($0)): \($1.text(indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
