import FoundationEssentials
import LayeredPrefs

/// A JSON value, written on one line, whose objects keep the order of their members.
indirect enum JSONLine {
    case null
    case string(String)
    case bool(Bool)
    /// A number, as it is written.
    case number(String)
    case array([JSONLine])
    case object([(String, JSONLine)])

    init(_ text: String?) { self = text.map(JSONLine.string) ?? .null }

    init(_ number: Int) { self = .number("\(number)") }

    /// Creates the JSON form of a stored value. Values that JSON cannot express become the text that
    /// `prefs set` accepts: data in base64, dates in ISO 8601, non-finite reals by name.
    init(_ value: PrefsValue?) {
        switch value {
        case nil: self = .null
        case .string(let value): self = .string(value)
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number("\(value)")
        case .real(let value): self = value.isFinite ? .number("\(value)") : .string("\(value)")
        case .data(let value): self = .string(value.base64EncodedString())
        case .date(let value): self = .string(ValueText.date(value))
        case .array(let elements): self = .array(elements.map { JSONLine($0) })
        case .dictionary(let content):
            let sorted = content.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            self = .object(sorted.map { ($0.key, JSONLine($0.value)) })
        }
    }

    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .string(let value): Self.quote(value, to: &text)
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += value
        case .array(let elements): Self.write(elements, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members, "{", "}", to: &text) { member, text in
                Self.quote(member.0, to: &text)
                text += ": "
                member.1.write(to: &text)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: String, _ close: String, to text: inout String,
        _ body: (Element, inout String) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += ", " }
            body(element, &text)
        }
        text += close
    }

    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONLine {
    /// Prints an array with one element per line, readable by people and by line-based tools.
    static func printList(_ elements: [JSONLine]) {
        guard !elements.isEmpty else { return Output.print("[]") }
        Output.print("[")
        for (index, element) in elements.enumerated() {
            Output.print("  \(element.text)\(index < elements.count - 1 ? "," : "")")
        }
        Output.print("]")
    }
}
