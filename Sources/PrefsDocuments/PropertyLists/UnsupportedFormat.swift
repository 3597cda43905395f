/// Describes a text that is not XML, so that its author knows what to convert.
enum UnsupportedFormat {
    static func description(_ text: ArraySlice<UInt8>) -> String {
        guard let first = text.first else { return "the end of the file" }
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

    /// JSON has a colon after its first string where OpenStep has an equals sign.
    private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
        let rest = text.dropFirst().drop { $0.isBlank }
        guard rest.first == UInt8(ascii: "\"") else { return text.first == UInt8(ascii: "[") }
        let behind = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst().drop { $0.isBlank }
        return behind.first != UInt8(ascii: "=")
    }
}
