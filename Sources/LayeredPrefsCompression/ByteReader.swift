/// A reader of bytes from first to last, which throws at the end.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - position }

    mutating func byte() throws(CompressionFailure) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a little-endian integer.
    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(CompressionFailure) -> Value {
        var value: Value = 0
        for index in 0..<Value.bitWidth / 8 { value |= Value(try byte()) << Value(index * 8) }
        return value
    }

    /// Reads the next bytes without copying them.
    mutating func slice(_ count: Int) throws(CompressionFailure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func skip(_ count: Int) throws(CompressionFailure) {
        _ = try slice(count)
    }
}

extension [UInt8] {
    /// Appends a little-endian integer.
    mutating func append(littleEndian value: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
        }
    }

    /// Repeats earlier bytes at a distance from the end, byte by byte, because source and destination may
    /// overlap.
    mutating func copyMatch(length: Int, distance: Int, limit: Int) throws(CompressionFailure) {
        guard distance > 0, distance <= count else { throw .malformed }
        guard count + length <= limit else { throw .tooLarge }
        var source = count - distance
        for _ in 0..<length {
            append(self[source])
            source += 1
        }
    }

    mutating func appendLiterals(_ literals: ArraySlice<UInt8>, limit: Int) throws(CompressionFailure) {
        guard count + literals.count <= limit else { throw .tooLarge }
        append(contentsOf: literals)
    }
}
