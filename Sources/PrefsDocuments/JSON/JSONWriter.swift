/// Writes values as JSON: indented by two spaces per level, keys sorted, with a line feed at the end.
struct JSONWriter {
    private(set) var output: [UInt8] = []
    /// The indentation of a level and the line ending: a surgical edit adopts those of the file.
    let style: TextLayout.Style

    init(style: TextLayout.Style = TextLayout.Style(unit: "  ")) {
        self.style = style
    }

    static func file(_ value: PrefsValue) throws(PrefsError) -> [UInt8] {
        var writer = JSONWriter()
        try writer.write(value, indent: "")
        writer.write("\n")
        return writer.output
    }

    mutating func write(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    /// Writes a value; `indent` is the indentation of its line, on which nested lines build.
    mutating func write(_ value: PrefsValue, indent: String) throws(PrefsError) {
        switch value {
        case .string(let text): writeText(text)
        case .bool(let value): write(value ? "true" : "false")
        case .integer(let value): write("\(try XMLWriter.inRange(value))")
        case .real(let value): write(try Self.text(of: value))
        case .data, .date:
            throw PrefsError(.notEncodable, reason: "JSON cannot represent \(value.kind)")
        case .array(let elements): try writeArray(elements, indent: indent)
        case .dictionary(let content): try writeDictionary(content, indent: indent)
        }
    }

    mutating func write(key: String, _ value: PrefsValue, indent: String) throws(PrefsError) {
        do {
            writeText(key)
            write(": ")
            try write(value, indent: indent)
        } catch let error {
            throw error.below(key)
        }
    }

    private mutating func writeArray(_ elements: [PrefsValue], indent: String) throws(PrefsError) {
        guard !elements.isEmpty else { return write("[]") }
        var separator = "["
        for element in elements {
            write(separator + style.newline + indent + style.unit)
            try write(element, indent: indent + style.unit)
            separator = ","
        }
        write(style.newline + indent + "]")
    }

    private mutating func writeDictionary(
        _ content: [String: PrefsValue], indent: String
    ) throws(PrefsError) {
        guard !content.isEmpty else { return write("{}") }
        var separator = "{"
        for (key, value) in content.sortedByKey {
            write(separator + style.newline + indent + style.unit)
            try write(key: key, value, indent: indent + style.unit)
            separator = ","
        }
        write(style.newline + indent + "}")
    }

    private mutating func writeText(_ text: String) {
        write("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): write("\\\"")
            case UInt8(ascii: "\\"): write("\\\\")
            case UInt8(ascii: "\n"): write("\\n")
            case UInt8(ascii: "\r"): write("\\r")
            case UInt8(ascii: "\t"): write("\\t")
            case 0..<0x20: write("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            default: output.append(byte)
            }
        }
        write("\"")
    }

    /// Swift's shortest representation contains a point or an exponent, so a real stays a real; JSON has no
    /// infinities and no NaN.
    private static func text(of real: Double) throws(PrefsError) -> String {
        guard real.isFinite else {
            throw PrefsError(.notEncodable, reason: "JSON cannot represent \(real)")
        }
        return "\(real)"
    }
}
