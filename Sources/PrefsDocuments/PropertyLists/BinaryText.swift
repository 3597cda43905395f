/// Strings of a binary property list: ASCII or UTF-8 unchanged, all others in big-endian UTF-16.
enum BinaryText {
    /// Decodes a range that `isUTF16` has validated.
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        String(decoding: Units(bytes: bytes, range: range), as: UTF16.self)
    }

    static func isUTF16(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var isAfterHigh = false
        for unit in Units(bytes: bytes, range: range) {
            guard UTF16.isTrailSurrogate(unit) == isAfterHigh else { return false }
            isAfterHigh = UTF16.isLeadSurrogate(unit)
        }
        return !isAfterHigh
    }

    static func isUTF8(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.span.extracting(range))
            return true
        } catch {
            return false
        }
    }

    private struct Units: RandomAccessCollection {
        let bytes: [UInt8]
        let range: Range<Int>

        var startIndex: Int { 0 }
        var endIndex: Int { range.count / 2 }

        subscript(index: Int) -> UInt16 {
            let offset = range.lowerBound + index * 2
            return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
        }
    }
}
