import FoundationEssentials

/// Writes values with the layout of Apple's tools: one element per line, tabs, keys sorted.
struct XMLWriter: EntryWriter {
    var output: [UInt8] = []
    /// The indentation of one level and the line ending. A surgical edit adopts the style of the file.
    let style: TextLayout.Style
    /// True if the text becomes part of a comment, which two hyphens would end.
    private let isInComment: Bool

    init(style: TextLayout.Style = TextLayout.Style(unit: "\t"), isInComment: Bool = false) {
        self.style = style
        self.isInComment = isInComment
    }

    static func file(_ value: PrefsValue) throws(PrefsError) -> [UInt8] {
        var writer = XMLWriter()
        writer.write(head)
        try writer.write(value, indent: "")
        writer.write("\n</plist>\n")
        return writer.output
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
}

extension XMLWriter {
    /// Writes an element. `indent` is the indentation of its line; nested lines are indented further.
    mutating func write(_ value: PrefsValue, indent: String) throws(PrefsError) {
        switch value {
        case .string(let text): try writeText("string", text)
        case .bool(let value): write(value ? "<true/>" : "<false/>")
        case .integer(let value): write("<integer>\(try Self.inRange(value))</integer>")
        case .real(let value): write("<real>\(Self.text(of: value))</real>")
        case .date(let date): write("<date>\(try Self.text(of: date))</date>")
        case .data(let data): writeData(data, indent: indent)
        case .array(let elements): try writeArray(elements, indent: indent)
        case .dictionary(let content): try writeDictionary(content, indent: indent)
        }
    }

    /// Writes a dictionary's entry, from the key's opening tag to the end of the value.
    mutating func write(key: String, _ value: PrefsValue, indent: String) throws(PrefsError) {
        do {
            try writeText("key", key)
            write(style.newline + indent)
            try write(value, indent: indent)
        } catch let error {
            throw error.below(key)
        }
    }

    private mutating func writeArray(_ elements: [PrefsValue], indent: String) throws(PrefsError) {
        guard !elements.isEmpty else { return write("<array/>") }
        let inner = style.newline + indent + style.unit
        write("<array>")
        for element in elements {
            write(inner)
            try write(element, indent: indent + style.unit)
        }
        write(style.newline + indent + "</array>")
    }

    private mutating func writeDictionary(
        _ content: [String: PrefsValue], indent: String
    ) throws(PrefsError) {
        guard !content.isEmpty else { return write("<dict/>") }
        write("<dict>")
        for (key, value) in content.sortedByKey {
            write(style.newline + indent + style.unit)
            try write(key: key, value, indent: indent + style.unit)
        }
        write(style.newline + indent + "</dict>")
    }

    /// Writes data in lines of 76 columns. A tab counts as eight columns.
    private mutating func writeData(_ data: Data, indent: String) {
        let line = style.newline + indent
        let indentation = indent.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\t") ? 8 : 1) }
        let width = max(16, 76 - indentation) / 4 * 4
        write("<data>")
        var rest = Array(data.base64EncodedString().utf8)[...]
        while !rest.isEmpty {
            write(line)
            output.append(contentsOf: rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        write(line + "</data>")
    }
}

extension XMLWriter {
    /// Writes an element that holds text.
    mutating func writeText(_ element: String, _ text: String) throws(PrefsError) {
        write("<\(element)>")
        for scalar in text.unicodeScalars {
            guard XMLReference.isAllowed(scalar) else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                throw PrefsError(
                    .notEncodable, reason: "an XML property list cannot represent the character U+\(code)")
            }
            append(scalar)
        }
        write("</\(element)>")
    }

    /// Appends an escaped character. A carriage return becomes a reference, because a reader converts a bare one
    /// to a line feed. In a comment, the second of two hyphens becomes a reference, too.
    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "&": write("&amp;")
        case "<": write("&lt;")
        case ">": write("&gt;")
        case "\r": write("&#13;")
        case "-" where isInComment && output.last == UInt8(ascii: "-"): write("&#45;")
        case _ where scalar.value >= 0x7F && scalar.isControl: write("&#\(scalar.value);")
        case _ where scalar.isASCII: output.append(UInt8(scalar.value))
        default: output.append(contentsOf: scalar.utf8)
        }
    }

    static func inRange(_ value: Int128) throws(PrefsError) -> Int128 {
        guard value >= Int128(Int64.min), value <= Int128(UInt64.max) else {
            throw PrefsError(.notEncodable, reason: "\(value) does not fit a 64-bit integer")
        }
        return value
    }

    private static func text(of real: Double) -> String {
        guard !real.isNaN else { return "nan" }
        return real.isInfinite ? (real < 0 ? "-infinity" : "+infinity") : "\(real)"
    }

    private static func text(of date: Date) throws(PrefsError) -> String {
        guard let text = PropertyListDate.text(date.timeIntervalSinceReferenceDate) else {
            throw PrefsError(.notEncodable, reason: "the date is out of range")
        }
        return text
    }
}
