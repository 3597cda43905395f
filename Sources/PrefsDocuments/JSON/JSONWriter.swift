/// Writes values as JSON: indented by two spaces per level, keys sorted, with a line feed at the end.
struct JSONWriter: EntryWriter {
    var output: [UInt8] = []
    /// The indentation of one level and the line ending. A surgical edit adopts the style of the file.
    let style: TextLayout.Style
    /// The kinds of containers that begin a line for each element.
    private let broken: Containers
    /// The text after a colon, and after a comma within a line.
    private let space: String

    /// Kinds of containers.
    struct Containers: OptionSet {
        let rawValue: UInt8
        static let arrays = Containers(rawValue: 1)
        static let objects = Containers(rawValue: 2)
    }

    init(
        style: TextLayout.Style = TextLayout.Style(unit: "  "),
        breaking broken: Containers = [.arrays, .objects], space: String = " "
    ) {
        self.style = style
        self.broken = broken
        self.space = space
    }

    static func file(_ value: PrefsValue) throws(PrefsError) -> [UInt8] {
        var writer = JSONWriter()
        try writer.write(value, indent: "")
        writer.write("\n")
        return writer.output
    }

    /// Writes a value. `indent` is the indentation of its line; nested lines are indented further.
    mutating func write(_ value: PrefsValue, indent: String) throws(PrefsError) {
        switch value {
        case .string(let text): writeText(text)
        case .bool(let value): write(value ? "true" : "false")
        case .integer(let value): write("\(try XMLWriter.inRange(value))")
        case .real(let value): write(try Self.text(of: value))
        case .data, .date:
            throw PrefsError(.notEncodable, reason: "JSON cannot represent \(value.kind)")
        case .array(let elements):
            try writeList(elements, .arrays, indent: indent) { (writer, element, indent) throws(PrefsError) in
                try writer.write(element, indent: indent)
            }
        case .dictionary(let content):
            try writeList(content.sortedByKey, .objects, indent: indent) {
                (writer, entry, indent) throws(PrefsError) in
                try writer.write(key: entry.key, entry.value, indent: indent)
            }
        }
    }

    mutating func write(key: String, _ value: PrefsValue, indent: String) throws(PrefsError) {
        do {
            writeText(key)
            write(":" + space)
            try write(value, indent: indent)
        } catch let error {
            throw error.below(key)
        }
    }

    /// Writes the elements of an array or the members of an object.
    mutating func writeList<Element, Failure: Error>(
        _ elements: [Element], _ kind: Containers, indent: String,
        _ body: (inout JSONWriter, Element, _ indent: String) throws(Failure) -> Void
    ) throws(Failure) {
        let brackets = kind == .objects ? ("{", "}") : ("[", "]")
        guard !elements.isEmpty else { return write(brackets.0 + brackets.1) }
        let isBroken = broken.contains(kind)
        let inner = indent + style.unit
        var separator = brackets.0
        for element in elements {
            write(isBroken ? separator + style.newline + inner : separator)
            try body(&self, element, inner)
            separator = isBroken ? "," : "," + space
        }
        write(isBroken ? style.newline + indent + brackets.1 : brackets.1)
    }

    mutating func writeText(_ text: String) {
        write("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": write("\\\"")
            case "\\": write("\\\\")
            case "\n": write("\\n")
            case "\r": write("\\r")
            case "\t": write("\\t")
            case _ where scalar.isControl:
                write("\\u" + scalar.value.digits(radix: 16, uppercase: false, width: 4))
            case _ where scalar.isASCII: output.append(UInt8(scalar.value))
            default: output.append(contentsOf: scalar.utf8)
            }
        }
        write("\"")
    }

    /// Returns a number as Swift's shortest text for it, which contains a point or an exponent, so that a real
    /// stays a real. Throws for infinities and NaN, which JSON does not have.
    private static func text(of real: Double) throws(PrefsError) -> String {
        guard real.isFinite else {
            throw PrefsError(.notEncodable, reason: "JSON cannot represent \(real)")
        }
        return "\(real)"
    }
}

extension PrefsValue {
    /// Returns the value as JSON without white space, with the keys of objects in order.
    ///
    /// - Throws: `notEncodable`, with the key within the value, if JSON cannot represent a part of it.
    package func compactJSON() throws(PrefsError) -> [UInt8] {
        var writer = JSONWriter(style: .compact, breaking: [], space: "")
        try writer.write(self, indent: "")
        return writer.output
    }
}
