/// Reads a text byte by byte.
protocol TextScanner {
    var bytes: [UInt8] { get }
    /// The offset of the next byte to read.
    var offset: Int { get set }
    /// The content at the offset, for a message.
    var found: String { get }
}

extension TextScanner {
    /// The next byte to read; at the end NUL, which no text may contain.
    var current: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    func byte(after distance: Int) -> UInt8 {
        offset + distance < bytes.count ? bytes[offset + distance] : 0
    }

    var found: String { offset < bytes.count ? bytes[offset].quoted : "the end of the file" }

    mutating func skip(_ byte: UInt8, _ expected: String) throws(ScanFailure) {
        guard current == byte, offset < bytes.count else {
            throw ScanFailure(offset, "expected \(expected), found \(found)")
        }
        offset += 1
    }

    /// Skips printable ASCII, the bulk of every file, up to one of two characters.
    mutating func skipPlainText(before first: UInt8, _ second: UInt8) {
        let bytes = bytes
        var position = offset
        while position < bytes.count {
            if let word = ByteWord(bytes.span, at: position) {
                let count = word.plainCount(before: first, second)
                position += count
                if count == 8 { continue } else { break }
            }
            let byte = bytes[position]
            guard byte >= 0x20, byte < 0x7F, byte != first, byte != second else { break }
            position += 1
        }
        offset = position
    }
}
