/// Finds texts with so many combining marks in a row that comparing or hashing them as a `String` would be slow:
/// normalizing a run of marks takes time quadratic in its length.
enum CombiningMarks {
    /// Rejects a text with more combining marks in a row than ``PrefsLimits/combiningMarks``.
    ///
    /// - Parameter place: The offset of the text in the file, for the error.
    static func check(_ bytes: [UInt8], _ range: Range<Int>, at place: Int) throws(ScanFailure) {
        guard range.count > PrefsLimits.combiningMarks, !bytes.span.extracting(range).isASCII,
            areExcessive(in: bytes, range)
        else { return }
        throw ScanFailure(
            place, "more than \(PrefsLimits.combiningMarks) combining marks in a row", code: .tooLarge)
    }

    /// Returns true if valid UTF-8 contains more marks in a row than ``PrefsLimits/combiningMarks``.
    private static func areExcessive(in bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var run = 0
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard bytes[offset] >= 0x80, let sequence = UTF8Sequence(bytes, at: offset) else {
                run = 0
                offset += 1
                continue
            }
            run = isMark(sequence.scalar) ? run + 1 : 0
            if run > PrefsLimits.combiningMarks { return true }
            offset += sequence.length
        }
        return false
    }

    /// Returns true for a character that normalization may move behind another one.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The large scripts have no marks, and properties are slow to look up.
        case 0..<0x300, 0x3100..<0xA600, 0xAC00..<0xFB00: false
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
