/// Eight consecutive bytes of a text, tested all at once.
struct ByteWord {
    /// The bytes; the first is the least significant.
    private let bits: UInt64

    /// Loads the eight bytes from an offset; returns `nil` if there are fewer.
    init?(_ bytes: Span<UInt8>, at offset: Int) {
        guard bytes.count - offset >= 8 else { return nil }
        // The load checks its bounds, and every bit pattern is a valid integer.
        bits = unsafe UInt64(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    var isASCII: Bool { bits & Self.highBits == 0 }

    /// The bytes as a number whose most significant byte is the first one.
    var bigEndian: UInt64 { bits.byteSwapped }

    /// Returns the first `count` bytes, fewer than eight, as a number. The last of them is the least significant.
    func prefix(_ count: Int) -> UInt64 { count == 0 ? 0 : (bits << (64 - 8 * count)).byteSwapped }

    /// Returns the index of the first byte that differs from the same byte of another word; `nil` if none does.
    func firstDifference(from other: ByteWord) -> Int? {
        bits == other.bits ? nil : (bits ^ other.bits).trailingZeroBitCount / 8
    }

    /// Returns the index of the last byte that differs from the same byte of another word; `nil` if none does.
    func lastDifference(from other: ByteWord) -> Int? {
        bits == other.bits ? nil : 7 - (bits ^ other.bits).leadingZeroBitCount / 8
    }

    /// Returns the index of the first byte that equals an ASCII character.
    func firstIndex(of byte: UInt8) -> Int? {
        let found = Self.zeros(bits ^ (Self.ones &* UInt64(byte))) & Self.highBits
        return found == 0 ? nil : found.trailingZeroBitCount / 8
    }

    /// Returns the number of bytes before the first one that is `first`, `second` or not printable ASCII.
    func plainCount(before first: UInt8, _ second: UInt8) -> Int {
        let controls = (bits &- Self.ones &* 0x20) & ~bits
        let marks =
            Self.zeros(bits ^ (Self.ones &* UInt64(first))) | Self.zeros(bits ^ (Self.ones &* UInt64(second)))
        let deletes = Self.zeros(bits ^ (Self.ones &* 0x7F))
        let special = (controls | marks | deletes | bits) & Self.highBits
        return special.trailingZeroBitCount / 8
    }

    /// Returns a word that has the high bit of the first zero byte set, and no high bit before it.
    private static func zeros(_ bits: UInt64) -> UInt64 { (bits &- ones) & ~bits }
}
