/// Decodes the escapes of TOML's basic strings: `\n`, `\u00e9`, `\U0001F600`, and a backslash at the end of a
/// line, which joins the text before it to the next character that is not white space.
enum TOMLText {
    /// Decodes the content of a string that the scanner has validated.
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            if bytes[offset] == UInt8(ascii: "\\"),
                let (scalar, end) = try? readEscape(bytes, at: offset, mayFold: true)
            {
                if let scalar {
                    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
                offset = end
            } else {
                result.append(bytes[offset])
                offset += 1
            }
        }
        return result
    }

    /// Reads an escape; the result has no character if it is the end of a line.
    static func readEscape(
        _ bytes: [UInt8], at start: Int, mayFold: Bool
    ) throws(ScanFailure) -> (scalar: Unicode.Scalar?, end: Int) {
        let mark = start + 1 < bytes.count ? bytes[start + 1] : 0
        switch mark {
        case UInt8(ascii: "b"): return ("\u{8}", start + 2)
        case UInt8(ascii: "t"): return ("\t", start + 2)
        case UInt8(ascii: "n"): return ("\n", start + 2)
        case UInt8(ascii: "f"): return ("\u{C}", start + 2)
        case UInt8(ascii: "r"): return ("\r", start + 2)
        case UInt8(ascii: "\""): return ("\"", start + 2)
        case UInt8(ascii: "\\"): return ("\\", start + 2)
        case UInt8(ascii: "u"): return try readUnicode(bytes, at: start, digits: 4)
        case UInt8(ascii: "U"): return try readUnicode(bytes, at: start, digits: 8)
        case 0x20, 0x09, 0x0A,
            0x0D where mayFold:
            if mayFold, let end = endOfFold(bytes, after: start) { return (nil, end) }
        default: break
        }
        throw ScanFailure(start, "invalid escape sequence")
    }

    /// Returns the offset after a backslash, white space, a line end, and all white space behind it.
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
    ) throws(ScanFailure) -> (scalar: Unicode.Scalar?, end: Int) {
        let digits = bytes[(start + 2)...].prefix(count)
        var value: UInt32 = 0
        for digit in digits {
            guard let digit = digit.hexadecimalValue else { break }
            value = value << 4 | UInt32(digit)
        }
        guard digits.count == count, digits.allSatisfy({ $0.hexadecimalValue != nil }) else {
            throw ScanFailure(start, "expected \(count) hexadecimal digits in the escape")
        }
        guard let scalar = Unicode.Scalar(value) else { throw ScanFailure(start, "not a Unicode character") }
        return (scalar, start + 2 + count)
    }
}
