/// Quotes a text as one word of a shell command line, for messages with commands that readers copy.
package enum ShellWord {
    package static func quoting(_ text: String) -> String {
        // zsh expands a word that begins with `=` to the path of a program.
        if let first = text.utf8.first, first != UInt8(ascii: "="), text.utf8.allSatisfy(isPlain) {
            return text
        }
        let hasControls = text.unicodeScalars.contains(where: \.isControl)
        if hasControls { return escaped(text) }
        // By scalars: for a shell, a combining mark is not part of the quotation mark before it.
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
        }
        return result + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "+-._/:,@%=".utf8.contains(byte)
    }

    /// Returns `$'…'`, so that a line break in a value does not look like the start of the next line.
    private static func escaped(_ text: String) -> String {
        var result = "$'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": result += "\\'"
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.isControl:
                // By bytes, because a shell encodes `\u` by its locale.
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    result += (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}
