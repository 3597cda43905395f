extension JSONScanner {
    /// Reads a string with its quotes, and returns the run between them.
    mutating func readString() throws(ScanFailure) -> TextRun {
        let start = offset
        offset += 1
        var run = TextRun(range: offset..<offset)
        while true {
            skipPlainText(before: UInt8(ascii: "\""), UInt8(ascii: "\\"))
            switch current {
            case UInt8(ascii: "\"") where offset < bytes.count:
                run.range = start + 1..<offset
                offset += 1
                return run
            case UInt8(ascii: "\\"):
                let escape = try JSONText.readEscape(bytes, at: offset)
                if escape.scalar?.isASCII == false { run.isASCII = false }
                offset = escape.end
                run.isEncoded = true
            case 0x7F: offset += 1
            default:
                try skipCharacter(of: start)
                run.isASCII = false
            }
        }
    }

    private mutating func skipCharacter(of start: Int) throws(ScanFailure) {
        guard offset < bytes.count else { throw ScanFailure(start, "unterminated string") }
        guard bytes[offset] >= 0x20 else {
            throw ScanFailure(offset, "control character \(found) in a string; write it as an escape")
        }
        guard let character = UTF8Sequence(bytes, at: offset) else {
            throw ScanFailure(offset, "\(found) is not valid UTF-8")
        }
        offset += character.length
    }
}

/// Decodes JSON strings: `\n`, `\u00e9`, `\ud83d\ude00`.
enum JSONText {
    /// Decodes a string that the scanner has validated.
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        BackslashEscapes.decoded(bytes, range) { (offset) throws(ScanFailure) in
            try readEscape(bytes, at: offset)
        }
    }

    static func readEscape(
        _ bytes: [UInt8], at start: Int
    ) throws(ScanFailure) -> BackslashEscapes.Escape {
        let mark = start + 1 < bytes.count ? bytes[start + 1] : 0
        if mark == UInt8(ascii: "u") { return try readUnicode(bytes, at: start) }
        guard let scalar = mark == UInt8(ascii: "/") ? "/" : BackslashEscapes.character(of: mark) else {
            throw ScanFailure(start, "invalid escape sequence")
        }
        return (scalar, start + 2)
    }

    /// Reads `\uXXXX`, or two of them for a character beyond U+FFFF. Half of such a pair is not a character.
    private static func readUnicode(
        _ bytes: [UInt8], at start: Int
    ) throws(ScanFailure) -> BackslashEscapes.Escape {
        guard let unit = unit(bytes, at: start) else {
            throw ScanFailure(start, "expected four hexadecimal digits after “\\u”")
        }
        if let scalar = Unicode.Scalar(unit) { return (scalar, start + 6) }
        guard UTF16.isLeadSurrogate(unit), let trail = self.unit(bytes, at: start + 6),
            UTF16.isTrailSurrogate(trail)
        else { throw ScanFailure(start, "unpaired surrogate") }
        let value = 0x1_0000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw ScanFailure(start, "not a Unicode character") }
        return (scalar, start + 12)
    }

    private static func unit(_ bytes: [UInt8], at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
            bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        return ScalarText.magnitude(bytes[start + 2..<start + 6], radix: 16).flatMap(UInt16.init(exactly:))
    }
}
