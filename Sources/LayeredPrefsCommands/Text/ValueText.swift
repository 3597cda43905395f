import LayeredPrefs
import LayeredPrefsInspection

/// Values as text that `prefs set` accepts, and as words of a command line.
enum ValueText {
    static func plain(_ value: PrefsValue) -> String { value.plainText }

    /// Returns the text as one shell word, on one line.
    static func quoted(_ value: PrefsValue) -> String { ShellWord.quoting(plain(value)) }

    /// Returns the quoted text of a key's value, with secrets masked.
    static func shown(_ value: PrefsValue, at key: String, _ secrets: SecretPaths) -> String {
        let path = PrefsPath(key)
        return secrets.covers(path) ? SecretPaths.mask : quoted(secrets.masking(value, at: path))
    }
}

extension ShellWord {
    /// Returns a one-line command that prints a text and a line break in any POSIX shell. The text cannot contain
    /// NUL, because no argument can.
    static func printing(_ text: String) -> String {
        var format = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            // A hyphen at the start would make the format an option.
            case "-" where format.isEmpty: format = "\\055"
            case "%": format += "%%"
            case "\\": format += "\\\\"
            case "'": format += "\\047"
            case _ where scalar.isControl:
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    let digits = String(byte, radix: 8)
                    format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            default: format.unicodeScalars.append(scalar)
            }
        }
        // The reader removes the last line break, which may have two characters.
        return "printf '\(format)\(text.utf8.last == UInt8(ascii: "\r") ? "\\r" : "")\\n'"
    }
}

extension UInt8 {
    /// True for the letters and digits of ASCII.
    var isLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
