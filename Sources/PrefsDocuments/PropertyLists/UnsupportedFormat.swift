/// Describes a text that is not XML, so that its author knows what to convert.
enum UnsupportedFormat {
    static func description(_ text: ArraySlice<UInt8>) -> String {
        guard let first = text.first else { return "the end of the file" }
        if isTOML(text) { return "TOML; name the file .toml" }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return isJSON(text) ? "JSON; name the file .json" : openStep
        case UInt8(ascii: "("), UInt8(ascii: "\""), UInt8(ascii: "/"): return openStep
        case _ where text.starts(with: BinaryTrailer.magic): return "a binary property list after white space"
        case _ where text.contains(UInt8(ascii: "=")) && text.contains(UInt8(ascii: ";")): return openStep
        default: return first.quoted
        }
    }

    private static let openStep =
        "an OpenStep (old-style text) property list, which is not supported; convert it, for example with plistutil"

    /// In TOML, the first line that is not a comment is the header of a table, or a key with its value. The
    /// first line of an OpenStep list ends in a semicolon.
    private static func isTOML(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.prefix(1 << 16).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { $0.drop { $0.isBlank } }.filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
        guard let line = lines.first, let first = line.first else { return false }
        let isEntry = { (line: ArraySlice<UInt8>) in
            line.contains(UInt8(ascii: "=")) && line.last { !$0.isBlank } != UInt8(ascii: ";")
        }
        if first == UInt8(ascii: "[") {
            return line.contains(UInt8(ascii: "]")) && lines.dropFirst().contains(where: isEntry)
        }
        return !"{(/<".utf8.contains(first) && isEntry(line)
    }

    /// JSON has a colon after its first string where OpenStep has an equals sign.
    private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
        let rest = text.dropFirst().drop { $0.isBlank }
        guard rest.first == UInt8(ascii: "\"") else { return text.first == UInt8(ascii: "[") }
        let behind = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst().drop { $0.isBlank }
        return behind.first != UInt8(ascii: "=")
    }
}
