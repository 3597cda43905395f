/// The last 32 bytes of a binary property list, which locate everything else.
struct BinaryTrailer {
    /// Bytes per entry of the offset table.
    var offsetSize: Int
    /// Bytes per reference from a container to an object.
    var referenceSize: Int
    var objectCount: Int
    var topObject: Int
    var offsetTable: Int

    static let magic = Array("bplist".utf8)
    static let headSize = 8
    static let size = 32

    init(_ bytes: [UInt8]) throws(ScanFailure) {
        try Self.checkHead(bytes)
        let start = bytes.count - Self.size
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        // Numbers too large for an Int are too large for any file: they become -1, which fails the checks.
        objectCount = Int(exactly: BinaryNumber.read(bytes, at: start + 8, size: 8)) ?? -1
        topObject = Int(exactly: BinaryNumber.read(bytes, at: start + 16, size: 8)) ?? -1
        offsetTable = Int(exactly: BinaryNumber.read(bytes, at: start + 24, size: 8)) ?? -1
        try check(end: start)
    }

    private static func checkHead(_ bytes: [UInt8]) throws(ScanFailure) {
        guard bytes.starts(with: magic) else {
            throw ScanFailure(0, "expected a binary property list, which begins with “bplist00”")
        }
        guard bytes.count >= headSize + 1 + 1 + size else {
            throw ScanFailure(bytes.count, "the file ends too early for a binary property list")
        }
        guard bytes[6] == UInt8(ascii: "0"), bytes[7].isDigit else {
            throw ScanFailure(6, "expected version 00, found another one", code: .unsupported)
        }
    }

    /// Validates the trailer. Afterwards every offset and reference can be read without a bounds check.
    private func check(end: Int) throws(ScanFailure) {
        guard (1...8).contains(offsetSize) else {
            throw ScanFailure(end + 6, "expected 1 to 8 bytes per offset, found \(offsetSize)")
        }
        guard (1...8).contains(referenceSize) else {
            throw ScanFailure(end + 7, "expected 1 to 8 bytes per reference, found \(referenceSize)")
        }
        guard offsetTable > Self.headSize, offsetTable < end else {
            throw ScanFailure(end + 24, "the offset table is outside the file")
        }
        guard objectCount > 0, objectCount <= (end - offsetTable) / offsetSize else {
            throw ScanFailure(end + 8, "the number of objects does not fit the offset table")
        }
        guard offsetTable + objectCount * offsetSize == end else {
            throw ScanFailure(
                offsetTable + objectCount * offsetSize, "unexpected bytes after the offset table")
        }
        guard topObject >= 0, topObject < objectCount else {
            throw ScanFailure(end + 16, "the top object is not among the \(objectCount) objects")
        }
    }
}

/// Numbers of a binary property list: most significant byte first, up to eight bytes long.
enum BinaryNumber {
    static func read(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
        return value
    }
}
