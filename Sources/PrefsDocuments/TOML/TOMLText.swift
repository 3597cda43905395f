/// Decodes the escapes of TOML's basic strings: `\n`, `\u00e9`, `\U0001F600`, and a backslash at the end of a
/// line, which joins the text before it to the next character that is not white space.
enum TOMLText {
    /// Decodes the content of a string that the scanner has validated.
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        BackslashEscapes.decoded(bytes, range) { (offset) throws(ScanFailure) in
            try readEscape(bytes, at: offset, mayFold: true)
        }
    }

    /// Reads an escape. The result has no character if the escape is a backslash at the end of a line.
    static func readEscape(
        _ bytes: [UInt8], at start: Int, mayFold: Bool
    ) throws(ScanFailure) -> BackslashEscapes.Escape {
        let mark = start + 1 < bytes.count ? bytes[start + 1] : 0
        switch mark {
        case UInt8(ascii: "u"): return try readUnicode(bytes, at: start, digits: 4)
        case UInt8(ascii: "U"): return try readUnicode(bytes, at: start, digits: 8)
        case _ where mark.isBlank && mayFold:
            if let end = endOfFold(bytes, after: start) { return (nil, end) }
        default: if let scalar = BackslashEscapes.character(of: mark) { return (scalar, start + 2) }
        }
        throw ScanFailure(start, "invalid escape sequence")
    }

    /// Returns the offset after a backslash, white space, a line end, and all white space after it.
    private static func endOfFold(_ bytes: [UInt8], after start: Int) -> Int? {
        var offset = start + 1
        var hasLineEnd = false
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09: offset += 1
            case 0x0A:
                hasLineEnd = true
                offset += 1
            case 0x0D where offset + 1 < bytes.count && bytes[offset + 1] == 0x0A: offset += 1
            default: return hasLineEnd ? offset : nil
            }
        }
        return hasLineEnd ? offset : nil
    }

    private static func readUnicode(
        _ bytes: [UInt8], at start: Int, digits count: Int
    ) throws(ScanFailure) -> BackslashEscapes.Escape {
        let digits = bytes[(start + 2)...].prefix(count)
        guard digits.count == count, let value = ScalarText.magnitude(digits, radix: 16) else {
            throw ScanFailure(start, "expected \(count) hexadecimal digits in the escape")
        }
        guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else {
            throw ScanFailure(start, "not a Unicode character")
        }
        return (scalar, start + 2 + count)
    }
}
