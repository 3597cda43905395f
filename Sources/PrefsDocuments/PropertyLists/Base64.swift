import FoundationEssentials

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
                guard padding == 0, isDigit(byte) else { return index }
                digits += 1
            }
        }
        return (digits + padding).isMultiple(of: 4) && (padding == 0 || digits > 0) ? nil : text.endIndex
    }

    /// Decodes a valid text.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        // Apart from digits and padding, a valid text contains only white space. Foundation rejects white space
        // alone.
        Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters).map(Array.init) ?? []
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
