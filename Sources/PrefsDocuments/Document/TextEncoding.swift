import FoundationEssentials

/// The Unicode encoding of a text file. The scanners read UTF-8; other encodings are transcoded on reading
/// and writing.
enum TextEncoding: Sendable {
    /// With or without a byte order mark, which stays in the text.
    case utf8
    case utf16(ByteOrder)
    case utf32(ByteOrder)

    enum ByteOrder: Sendable { case little, big }

    /// Detects the encoding from a byte order mark or, without one, from the positions of the zero bytes in
    /// the first character: a text begins with ASCII, and UTF-8 text contains no zero bytes.
    init(detecting bytes: [UInt8]) {
        var head = Array(bytes.prefix(4))
        head += Array(repeating: 1, count: 4 - head.count)
        self =
            switch (head[0], head[1], head[2], head[3]) {
            case (0xFF, 0xFE, 0, 0), (1..., 0, 0, 0): .utf32(.little)
            case (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...): .utf32(.big)
            case (0xFF, 0xFE, _, _), (1..., 0, _, _): .utf16(.little)
            case (0xFE, 0xFF, _, _), (0, 1..., _, _): .utf16(.big)
            default: .utf8
            }
    }

    /// Returns the offset after the byte order mark of a text in UTF-8; 0 if it has none.
    static func start(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// The same encoding for Foundation, which takes a byte order mark for a character if the order is given.
    private var stringEncoding: String.Encoding {
        switch self {
        case .utf8: .utf8
        case .utf16(.little): .utf16LittleEndian
        case .utf16(.big): .utf16BigEndian
        case .utf32(.little): .utf32LittleEndian
        case .utf32(.big): .utf32BigEndian
        }
    }

    /// The number of bits of a code unit.
    private var width: Int {
        switch self {
        case .utf8: 8
        case .utf16: 16
        case .utf32: 32
        }
    }

    /// Returns the text in UTF-8, with the byte order mark converted to UTF-8's.
    func decode(_ bytes: [UInt8]) throws(ScanFailure) -> [UInt8] {
        // The scanner checks UTF-8 itself.
        if case .utf8 = self { return bytes }
        guard bytes.count.isMultiple(of: width / 8) else {
            throw ScanFailure(bytes.count, "the file ends inside a UTF-\(width) character")
        }
        guard let text = String(bytes: bytes, encoding: stringEncoding) else {
            throw ScanFailure(0, "not valid UTF-\(width)")
        }
        return Array(text.utf8)
    }

    /// Returns the bytes on disk for a text in UTF-8.
    func encode(_ text: [UInt8]) -> [UInt8] {
        if case .utf8 = self { return text }
        guard let data = String(decoding: text, as: UTF8.self).data(using: stringEncoding) else {
            preconditionFailure("UTF-\(width) can represent every text")
        }
        return Array(data)
    }
}
