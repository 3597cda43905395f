/// One scalar beyond ASCII, strictly decoded: no overlong forms, no surrogates, nothing above U+10FFFF.
struct UTF8Sequence {
    let scalar: Unicode.Scalar
    let length: Int

    init?(_ bytes: [UInt8], at offset: Int) {
        var rest = bytes[offset...].makeIterator()
        var parser = UTF8.ForwardParser()
        guard case .valid(let sequence) = parser.parseScalar(from: &rest), sequence.count > 1 else {
            return nil
        }
        scalar = UTF8.decode(sequence)
        length = sequence.count
    }
}
