import FoundationEssentials
import LayeredPrefs

/// Values as the text that `prefs set` accepts.
///
/// Strings are unchanged, numbers and Booleans are written as in files, data in base64, dates in ISO 8601,
/// arrays and dictionaries in JSON.
enum ValueText {
    static func plain(_ value: PrefsValue) -> String {
        switch value {
        case .string(let value): value
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .data(let value): value.base64EncodedString()
        case .date(let value): OrderedJSON.text(of: value)
        case .array, .dictionary: OrderedJSON(value).text
        }
    }

    /// Returns the text as one shell word, on one line.
    static func quoted(_ value: PrefsValue) -> String { ShellWord.quoting(plain(value)) }
}

/// Quoting of text as one word of a shell command line.
enum ShellWord {
    static func quoting(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        let hasControls = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return hasControls ? escaped(text) : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "+-._/:,@%=".utf8.contains(byte)
        }
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
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\x" + (digits.count < 2 ? "0" : "") + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}
