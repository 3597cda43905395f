/// One scalar beyond ASCII, strictly decoded: no overlong forms, no surrogates, nothing above U+10FFFF.
struct UTF8Sequence {
    var scalar: Unicode.Scalar
    var length: Int

    init?(_ bytes: [UInt8], at offset: Int) {
        let first = bytes[offset]
        let minimum: UInt32
        switch first {
        case 0xC2...0xDF: (length, minimum) = (2, 0x80)
        case 0xE0...0xEF: (length, minimum) = (3, 0x800)
        case 0xF0...0xF4: (length, minimum) = (4, 0x1_0000)
        default: return nil
        }
        guard bytes.count - offset >= length else { return nil }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in offset + 1..<offset + length {
            guard bytes[index] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[index] & 0x3F)
        }
        guard value >= minimum, let scalar = Unicode.Scalar(value) else { return nil }
        self.scalar = scalar
    }
}
