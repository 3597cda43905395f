/// A reader for the tables of a `bvx2` header: frequencies in a prefix code of 2 to 14 bits, from the lowest
/// bit up.
enum PackedFrequencies {
    static func decode(_ bytes: ArraySlice<UInt8>, count: Int) throws(CompressionFailure) -> [UInt16] {
        // A header without tables describes a block without symbols.
        guard !bytes.isEmpty else { return [UInt16](repeating: 0, count: count) }
        var frequencies: [UInt16] = []
        frequencies.reserveCapacity(count)
        var rest = bytes
        var (held, heldBits): (UInt32, Int) = (0, 0)
        for _ in 0..<count {
            while heldBits <= 24, let byte = rest.popFirst() {
                held |= UInt32(byte) << UInt32(heldBits)
                heldBits += 8
            }
            let (value, length) = code(held)
            guard length <= heldBits else { throw .malformed }
            frequencies.append(value)
            held >>= UInt32(length)
            heldBits -= length
        }
        guard heldBits < 8, rest.isEmpty else { throw .malformed }
        return frequencies
    }

    /// Returns the value that some bits begin with, and its number of bits: `x0` is 0 or 1, `x01` 2 or 3,
    /// `xx011` 4 to 7, `xxxx0111` 8 and above, `xxxxxxxxxx1111` 24 and above.
    private static func code(_ bits: UInt32) -> (value: UInt16, length: Int) {
        if bits & 1 == 0 { return (UInt16(bits >> 1 & 1), 2) }
        if bits & 2 == 0 { return (UInt16(bits >> 2 & 1) + 2, 3) }
        if bits & 4 == 0 { return (UInt16(bits >> 3 & 3) + 4, 5) }
        if bits & 8 == 0 { return (UInt16(bits >> 4 & 15) + 8, 8) }
        return (UInt16(bits >> 4 & 0x3FF) + 24, 14)
    }
}
