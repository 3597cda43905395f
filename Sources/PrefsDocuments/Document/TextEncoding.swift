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

    /// Returns the offset of a text in UTF-8 behind its byte order mark, if it has one.
    static func start(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// Returns the text in UTF-8, with the byte order mark converted to UTF-8's.
    func decode(_ bytes: [UInt8]) throws(ScanFailure) -> [UInt8] {
        switch self {
        case .utf8: bytes
        case .utf16(let order): try Self.decode(bytes, Self.units(bytes, 2, order), as: UTF16.self)
        case .utf32(let order): try Self.decode(bytes, Self.units(bytes, 4, order), as: UTF32.self)
        }
    }

    /// Returns the bytes on disk for a text in UTF-8.
    func encode(_ text: [UInt8]) -> [UInt8] {
        switch self {
        case .utf8: text
        case .utf16(let order): String(decoding: text, as: UTF8.self).utf16.flatMap { Self.bytes($0, order) }
        case .utf32(let order):
            String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { Self.bytes($0.value, order) }
        }
    }

    private static func units<Unit: FixedWidthInteger>(
        _ bytes: [UInt8], _ size: Int, _ order: ByteOrder
    ) throws(ScanFailure) -> [Unit] {
        guard bytes.count.isMultiple(of: size) else {
            throw ScanFailure(bytes.count, "the file ends inside a UTF-\(size * 8) character")
        }
        return stride(from: 0, to: bytes.count, by: size).map { start in
            let unit = bytes[start..<start + size].reduce(Unit(0)) { $0 << 8 | Unit($1) }
            return order == .big ? unit : unit.byteSwapped
        }
    }

    private static func decode<Encoding: Unicode.Encoding>(
        _ bytes: [UInt8], _ units: [Encoding.CodeUnit], as encoding: Encoding.Type
    ) throws(ScanFailure) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        let failed = transcode(
            units.makeIterator(), from: encoding, to: UTF8.self, stoppingOnError: true
        ) { result.append($0) }
        guard failed else { return result }
        throw ScanFailure(0, "not valid UTF-\(Encoding.CodeUnit.bitWidth)")
    }

    private static func bytes(_ unit: some FixedWidthInteger, _ order: ByteOrder) -> [UInt8] {
        let big = stride(from: unit.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: unit >> $0)
        }
        return order == .big ? big : big.reversed()
    }
}
