package import FoundationEssentials

/// A JSON document whose objects keep the order of their members.
package indirect enum OrderedJSON {
    case null
    case string(String)
    case bool(Bool)
    /// A number in its written form.
    case number(String)
    case array([OrderedJSON])
    case object([(String, OrderedJSON)])

    package init(_ text: String?) { self = text.map(OrderedJSON.string) ?? .null }

    package init(_ number: Int) { self = .number("\(number)") }

    /// Creates a document from a stored value. Values that JSON cannot represent become strings: data in
    /// base64, dates in ISO 8601, non-finite reals by name.
    package init(_ value: PrefsValue?) {
        switch value {
        case nil: self = .null
        case .string(let value): self = .string(value)
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number("\(value)")
        case .real(let value): self = value.isFinite ? .number("\(value)") : .string("\(value)")
        case .data(let value): self = .string(value.base64EncodedString())
        case .date(let value): self = .string(Self.text(of: value))
        case .array(let elements): self = .array(elements.map { OrderedJSON($0) })
        case .dictionary(let content):
            self = .object(content.sortedByKey.map { ($0.key, OrderedJSON($0.value)) })
        }
    }

    /// Returns a date in ISO 8601, with the fraction of a second if there is one.
    ///
    /// The formatter of `Date` traps on dates outside the calendar's range, which a malicious binary file may
    /// contain; those are written in seconds since the reference date.
    package static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 6e10 else { return "\(seconds)" }
        if seconds == seconds.rounded() { return date.formatted(.iso8601) }
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension OrderedJSON {
    /// The document on one line.
    package var text: String {
        switch self {
        case .null: "null"
        case .string(let value): Self.quoted(value)
        case .bool(let value): "\(value)"
        case .number(let value): value
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(Self.quoted($0)): \($1.text)" }.joined(separator: ", "))}"
        }
    }

    /// The document with a line for each member of an object, indented by two spaces per level.
    package var indentedText: String { text(indent: "") }

    private func text(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .null, .string, .bool, .number: return text
        case .array(let elements):
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
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
