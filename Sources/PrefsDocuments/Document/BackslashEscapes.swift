/// The escapes with a backslash that JSON and TOML share.
enum BackslashEscapes {
    /// An escape: its end, and its character if it stands for one.
    typealias Escape = (scalar: Unicode.Scalar?, end: Int)

    /// Decodes a text that a scanner has validated.
    ///
    /// - Parameter readEscape: Reads the escape that begins at an offset.
    static func decoded(
        _ bytes: [UInt8], _ range: Range<Int>, _ readEscape: (Int) throws(ScanFailure) -> Escape
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            if bytes[offset] == UInt8(ascii: "\\"), let (scalar, end) = try? readEscape(offset) {
                if let scalar { result.append(contentsOf: scalar.utf8) }
                offset = end
            } else {
                result.append(bytes[offset])
                offset += 1
            }
        }
        return result
    }

    /// Returns the character of a two-character escape, such as the newline for `n`.
    static func character(of mark: UInt8) -> Unicode.Scalar? {
        switch mark {
        case UInt8(ascii: "\""): "\""
        case UInt8(ascii: "\\"): "\\"
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }
}
