/// Base64 with white space anywhere, as in property lists; any other character is rejected.
enum Base64 {
    /// Returns the index of the first invalid character, or the end index if the text is incomplete; `nil` if
    /// it is valid.
    static func fault(in text: ArraySlice<UInt8>) -> Int? {
        var digits = 0
        var padding = 0
        for index in text.indices {
            let byte = text[index]
            if byte.isBlank { continue }
            if byte == UInt8(ascii: "=") {
                padding += 1
                guard padding <= 2, (digits + padding) % 4 != 1 else { return index }
            } else {
                guard padding == 0, value(of: byte) != nil else { return index }
                digits += 1
            }
        }
        return (digits + padding).isMultiple(of: 4) && (padding == 0 || digits > 0) ? nil : text.endIndex
    }

    /// Decodes a valid text.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var word: UInt32 = 0
        var bits = 0
        for byte in text {
            guard let value = value(of: byte) else { continue }
            word = word << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            result.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
        }
        return result
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
