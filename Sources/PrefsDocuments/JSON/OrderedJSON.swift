package import FoundationEssentials

/// A JSON value whose objects keep the order of their members; for reports and schemas.
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

    /// Creates the JSON form of a stored value, with sorted keys. Values that JSON cannot represent become
    /// strings: data in base64, dates in ISO 8601, infinities and NaN by name.
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

    /// Returns a date in ISO 8601, with the fraction of a second if there is one. A date outside the years 0 to
    /// 9999 is written in seconds since the reference date.
    package static func text(of date: Date) -> String {
        DateText.text(of: date) ?? "\(date.timeIntervalSinceReferenceDate)"
    }

    /// The value on one line.
    package var text: String { text(JSONWriter(style: .compact, breaking: [])) }

    /// The value with one line per member, indented by two spaces per level; arrays of scalars on one line.
    package var indentedText: String { text(JSONWriter(breaking: .objects)) }

    private func text(_ writer: consuming JSONWriter) -> String {
        writer.write(self, indent: "")
        return String(decoding: writer.output, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes a value. `indent` is the indentation of its line; nested lines are indented further.
    fileprivate mutating func write(_ json: OrderedJSON, indent: String) {
        switch json {
        case .null: write("null")
        case .string(let text): writeText(text)
        case .bool(let value): write(value ? "true" : "false")
        case .number(let text): write(text)
        case .array(let elements):
            writeList(elements, .arrays, indent: indent) { $0.write($1, indent: $2) }
        case .object(let members):
            writeList(members, .objects, indent: indent) { writer, member, indent in
                writer.writeText(member.0)
                writer.write(": ")
                writer.write(member.1, indent: indent)
            }
        }
    }
}
