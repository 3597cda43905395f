#if YAML
    import FoundationEssentials

    /// Writes values as YAML by indentation, with sorted keys. A text of several lines is written under `|` if
    /// that preserves it.
    ///
    /// Quotes enclose texts that readers of YAML 1.1 would take for something else, such as `no` and `12:30`.
    struct YAMLWriter {
        private(set) var output: [UInt8] = []
        /// The indentation of one level and the line ending. A surgical edit adopts the style of the file.
        let style: TextLayout.Style
        /// The text that replaces the next line's indentation: the dash of an array's element.
        private var start: String?

        init(style: TextLayout.Style = TextLayout.Style(unit: "  ")) { self.style = style }

        static func file(_ content: [String: PrefsValue]) throws(PrefsError) -> [UInt8] {
            guard !content.isEmpty else { return Array("{}\n".utf8) }
            var writer = YAMLWriter()
            try writer.writeEntries(content, indent: "")
            return writer.output
        }

        private mutating func write(_ text: some StringProtocol) { output.append(contentsOf: text.utf8) }

        private mutating func startLine(_ indent: String) {
            write(start ?? indent)
            start = nil
        }

        private mutating func writeEntries(_ content: [String: PrefsValue], indent: String) throws(PrefsError)
        {
            for (key, value) in content.sortedByKey { try writeEntry(key, value, indent: indent) }
        }

        /// Writes `key: value` on lines of its own.
        mutating func writeEntry(_ key: String, _ value: PrefsValue, indent: String) throws(PrefsError) {
            do {
                startLine(indent)
                write(try Self.key(key, inFlow: false) + ":")
                switch value {
                case .dictionary(let content) where !content.isEmpty:
                    write(style.newline)
                    try writeEntries(content, indent: indent + style.unit)
                case .array(let elements) where !elements.isEmpty:
                    write(style.newline)
                    try writeElements(elements, indent: indent + style.unit)
                default: try writeScalar(value, indent: indent + style.unit)
                }
            } catch let error {
                throw error.below(key)
            }
        }

        /// Writes the elements of an array, each on lines of its own.
        mutating func writeElements(_ elements: [PrefsValue], indent: String) throws(PrefsError) {
            for element in elements {
                startLine(indent)
                // The lines of an element are indented by two more columns: the width of its dash and the space.
                let inner = indent + "  "
                switch element {
                case .dictionary(let content) where !content.isEmpty:
                    start = "- "
                    try writeEntries(content, indent: inner)
                case .array(let elements) where !elements.isEmpty:
                    start = "- "
                    try writeElements(elements, indent: inner)
                default:
                    write("-")
                    try writeScalar(element, indent: inner)
                }
            }
        }

        /// Writes a value after its key or dash, and the end of the line.
        private mutating func writeScalar(_ value: PrefsValue, indent: String) throws(PrefsError) {
            if case .string(let text) = value, let (header, lines) = YAMLBlockText.lines(text) {
                write(" " + header + style.newline)
                return writeLines(lines, indent: indent)
            }
            write(" " + (try Self.inline(value, inFlow: false)) + style.newline)
        }

        /// Writes the lines of a text. Blank lines are not indented.
        mutating func writeLines(_ lines: [Substring], indent: String) {
            for line in lines { write(line.isEmpty ? style.newline : indent + line + style.newline) }
        }
    }

    extension YAMLWriter {
        /// Returns a value on one line.
        ///
        /// - Parameters:
        ///   - form: The spelling of the text that this text replaces. It is kept if possible.
        ///   - isInFlow: True if the text is between brackets or braces.
        static func inline(
            _ value: PrefsValue, like form: YAMLForm? = nil, inFlow isInFlow: Bool
        ) throws(PrefsError) -> String {
            switch value {
            case .string(let text): return string(text, like: form, inFlow: isInFlow)
            case .bool(let value): return value ? "true" : "false"
            case .integer(let value): return "\(try XMLWriter.inRange(value))"
            case .real(let value):
                guard value.isFinite else { return value.isNaN ? ".nan" : value < 0 ? "-.inf" : ".inf" }
                // Swift's shortest representation contains a point or an exponent, so a real stays a real.
                return "\(value)"
            case .date, .data:
                throw PrefsError(.notEncodable, reason: "YAML cannot represent \(value.kind) without tags")
            case .array(let elements):
                var texts: [String] = []
                for element in elements { texts.append(try inline(element, inFlow: true)) }
                return "[" + texts.joined(separator: ", ") + "]"
            case .dictionary(let content):
                var texts: [String] = []
                for (key, value) in content.sortedByKey { texts.append(try member(key, value)) }
                return texts.isEmpty ? "{}" : "{ " + texts.joined(separator: ", ") + " }"
            }
        }

        /// Returns `key: value` for a mapping in braces.
        static func member(_ key: String, _ value: PrefsValue) throws(PrefsError) -> String {
            do { return try self.key(key, inFlow: true) + ": " + inline(value, inFlow: true) } catch let error
            {
                throw error.below(key)
            }
        }

        static func key(_ key: String, inFlow isInFlow: Bool) throws(PrefsError) -> String {
            let text = string(key, like: nil, inFlow: isInFlow)
            guard text.utf8.count <= longestKey else {
                throw PrefsError(
                    .notEncodable, key: key,
                    reason: "YAML cannot represent a key of more than \(longestKey) bytes")
            }
            return text
        }

        /// A key and its colon may take 1,024 characters.
        private static let longestKey = 1000

        private static func string(_ text: String, like form: YAMLForm?, inFlow isInFlow: Bool) -> String {
            switch form {
            case .doubleQuoted: quoted(text)
            case .singleQuoted where text.unicodeScalars.allSatisfy(YAMLBlockText.isPlainCharacter):
                "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
                    + "'"
            default: isPlain(text, inFlow: isInFlow) ? text : quoted(text)
            }
        }

        private static func quoted(_ text: String) -> String {
            text.inDoubleQuotes { !YAMLBlockText.isPlainCharacter($0) }
        }
    }

    extension YAMLWriter {
        /// Returns true for a text that needs no quotes, even for a reader of YAML 1.1.
        private static func isPlain(_ text: String, inFlow isInFlow: Bool) -> Bool {
            guard let first = text.utf8.first, let last = text.utf8.last, !indicators.contains(first),
                last != 0x20, last != UInt8(ascii: ":"),
                text.unicodeScalars.allSatisfy(YAMLBlockText.isPlainCharacter),
                !words.contains(text.lowercased()), !resemblesNumber(text)
            else { return false }
            var previous: UInt8 = 0
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "#") where previous == 0x20: return false
                case 0x20 where previous == UInt8(ascii: ":"): return false
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
                    UInt8(ascii: "}"),
                    UInt8(ascii: ":"):
                    if isInFlow { return false }
                default: break
                }
                previous = byte
            }
            return true
        }

        /// The characters that begin something other than a plain text, or may do so.
        private static let indicators = Array(" -?:,[]{}#&*!|>'\"%@`=<~".utf8)

        private static let words: Set<String> = [
            "null", "true", "false", "yes", "no", "on", "off", "y", "n",
        ]

        /// Returns true for a text that some reader might take for a number, a time or a date.
        private static func resemblesNumber(_ text: String) -> Bool {
            guard let first = text.utf8.first, "0123456789+.".utf8.contains(first) else { return false }
            return text.utf8.allSatisfy { "0123456789abcdefABCDEFoxXtTzZ.,:_+- ".utf8.contains($0) }
                || text.lowercased().hasSuffix(".inf") || text.lowercased().hasSuffix(".nan")
        }
    }
#endif
