// The single place that decides which characters may reach a terminal, a log or a document that a person
// reads. Descriptions, messages, the command-line tool and the writers of text formats all use it.

extension Unicode.Scalar {
    /// True if the character controls a terminal, ends a line, or changes the direction of the text around
    /// it: C0, DEL and C1, line and paragraph separators, marks, embeddings, overrides and isolates.
    ///
    /// Text of a file must not have such an effect when it is printed: it could clear the screen, forge
    /// another line of a log, or make a value look like a different one.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The character as Swift writes it in a string literal: `\n`, `\u{1b}`.
    package var escape: String {
        switch self {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}

extension BinaryInteger {
    /// Returns the digits of the number, with zeros before them if they are fewer than the width.
    func digits(radix: Int = 10, uppercase: Bool = true, width: Int) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension String {
    /// Returns the text in double quotes, with the escapes that TOML and YAML share: `\n`, `\u001B`.
    ///
    /// - Parameter mustBeEscaped: Returns true for a character that must be escaped. Its code must fit four
    ///   hexadecimal digits.
    func inDoubleQuotes(escaping mustBeEscaped: (Unicode.Scalar) -> Bool) -> String {
        inDoubleQuotes(replacing: { scalar in
            switch scalar {
            case "\n", "\r", "\t": scalar.escape
            default: mustBeEscaped(scalar) ? "\\u" + scalar.value.digits(radix: 16, width: 4) : nil
            }
        })
    }

    /// Returns the text in double quotes.
    ///
    /// - Parameter escape: Returns the escape of a character; `nil` if the character may stand for itself.
    ///   Quotation marks and backslashes are always escaped.
    func inDoubleQuotes(replacing escape: (Unicode.Scalar) -> String?) -> String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if let text = escape(scalar) { result += text } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result + "\""
    }

    /// The text on one line, with every control character escaped.
    ///
    /// Most texts have no control characters, and are returned as they are. The result is not a literal: quotes
    /// and backslashes are not escaped.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isControl { result += scalar.escape } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
