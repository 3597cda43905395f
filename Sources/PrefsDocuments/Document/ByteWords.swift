/// 32 consecutive bytes of a text, tested all at once.
struct ByteWords: Equatable {
    /// A counter for each of the 32 bytes.
    typealias Counts = SIMD4<UInt64>

    private let bits: SIMD4<UInt64>

    /// Loads the 32 bytes from an offset; returns `nil` if there are fewer.
    init?(_ bytes: Span<UInt8>, at offset: Int) {
        guard bytes.count - offset >= 32 else { return nil }
        // The load checks its bounds, and every bit pattern is a valid integer.
        bits = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Adds 1 to the counter of each byte that equals `byte`.
    @inline(__always)
    func add(occurrencesOf byte: UInt8, to counts: inout Counts) {
        let differences = bits ^ (Self.ones &* UInt64(byte))
        // Exact in each byte: the sum of two seven-bit numbers carries nothing into the next byte.
        let others = (differences & ~Self.highBits) &+ ~Self.highBits | differences
        counts &+= (~others & Self.highBits) &>> 7
    }

    /// Returns the sum of all counters. Each counter is at most 63.
    static func sum(ofBytes counts: Counts) -> Int {
        // Four bytes of at most 63 add up to no more than a byte holds.
        let bytes = counts.wrappedSum()
        let pairs = (bytes & 0x00FF_00FF_00FF_00FF) + (bytes >> 8 & 0x00FF_00FF_00FF_00FF)
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
}
