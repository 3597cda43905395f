/// The header of a binary object: its type, and its size or count.
struct BinaryHead {
    enum ObjectType: String, CustomStringConvertible {
        case null = "null"
        case `false` = "false"
        case `true` = "true"
        case integer = "an integer"
        case real = "a real"
        case date = "a date"
        case data = "data"
        case asciiString = "a string"
        case utf16String = "a UTF-16 string"
        case utf8String = "a UTF-8 string"
        case identifier = "an identifier"
        case array = "an array"
        case set = "a set"
        case dictionary = "a dictionary"

        var description: String { rawValue }
    }

    let type: ObjectType
    let start: Int
    /// The offset of the content.
    private(set) var content: Int
    /// The number of elements, entries, characters or bytes, depending on the type.
    private(set) var count: Int
    private let source: [UInt8]
    /// The end of the objects in the file.
    private let end: Int

    init(_ bytes: [UInt8], at start: Int, end: Int) throws(ScanFailure) {
        let marker = bytes[start]
        guard let type = Self.type(of: marker) else {
            throw ScanFailure(start, "\(marker.quoted) does not begin an object")
        }
        self.type = type
        self.start = start
        self.end = end
        source = bytes
        content = start + 1
        count = Int(marker & 0x0F)
        switch type {
        case .null, .false, .true: count = 0
        case .integer, .real, .date:
            count = 1 << count
            try checkContent(unit: 1)
        case .identifier:
            count += 1
            try checkContent(unit: 1)
        default: if count == 0x0F { try readLongCount() }
        }
    }

    /// The range of a scalar. Its count is the size of its content.
    var range: Range<Int> { start..<content + count }

    private static func type(of marker: UInt8) -> ObjectType? {
        switch (marker >> 4, marker & 0x0F) {
        case (0x0, 0x0): .null
        case (0x0, 0x8): .false
        case (0x0, 0x9): .true
        case (0x1, 0...4): .integer
        case (0x2, 2...3): .real
        case (0x3, 3): .date
        case (0x4, _): .data
        case (0x5, _): .asciiString
        case (0x6, _): .utf16String
        case (0x7, _): .utf8String
        case (0x8, _): .identifier
        case (0xA, _): .array
        case (0xB, _), (0xC, _): .set
        case (0xD, _): .dictionary
        default: nil
        }
    }

    /// Reads a count of 15 or more, which follows as an integer object.
    private mutating func readLongCount() throws(ScanFailure) {
        guard content < end, source[content] & 0xF0 == 0x10, source[content] & 0x0F <= 3 else {
            throw ScanFailure(content, "expected the count as an integer")
        }
        let size = 1 << Int(source[content] & 0x0F)
        guard end - content > size else { throw ScanFailure(content, "the count extends past the objects") }
        let number = BinaryNumber.read(source, at: content + 1, size: size)
        guard number <= UInt64(PrefsLimits.largestFileSize) else {
            throw ScanFailure(content, "the count \(number) is larger than any file")
        }
        count = Int(number)
        content += 1 + size
    }

    /// Checks that the content lies among the objects. It takes `unit` bytes for each of the count.
    func checkContent(unit: Int) throws(ScanFailure) {
        guard count * unit <= end - content else {
            throw ScanFailure(start, "\(type) of \(count * unit) bytes extends past the objects")
        }
    }

    func bytes() throws(ScanFailure) -> TextRun {
        try checkContent(unit: 1)
        return TextRun(range: content..<content + count)
    }
}

extension BinaryHead {
    /// The integer. Integers of one, two and four bytes are unsigned, and integers of eight bytes are signed. A
    /// large `UInt64` takes sixteen bytes.
    var integer: IntegerBits? {
        guard count == 16 else {
            let bits = BinaryNumber.read(source, at: content, size: count)
            return IntegerBits(bits: bits, isUnsigned: false)
        }
        let high = BinaryNumber.read(source, at: content, size: 8)
        let low = BinaryNumber.read(source, at: content + 8, size: 8)
        switch high {
        case 0: return IntegerBits(magnitude: low, isNegative: false)
        case .max where low > UInt64(Int64.max): return IntegerBits(bits: low, isUnsigned: false)
        default: return nil
        }
    }

    /// The bits of a real or date, widened to 64.
    var real: UInt64 {
        let bits = BinaryNumber.read(source, at: content, size: count)
        guard count == 4 else { return bits }
        return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))).bitPattern
    }

    var identifier: IntegerBits? {
        let lead = max(0, count - 8)
        guard source[content..<content + lead].allSatisfy({ $0 == 0 }) else { return nil }
        let number = BinaryNumber.read(source, at: content + lead, size: count - lead)
        return IntegerBits(magnitude: number, isNegative: false)
    }
}
