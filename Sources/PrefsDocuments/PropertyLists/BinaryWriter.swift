import FoundationEssentials

/// Writes values as `bplist00`: each string and each integer once, dictionaries in key order.
struct BinaryWriter {
    /// An object whose references are known; it is written once the size of a reference is known.
    private enum Object {
        case bytes(Range<Int>)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    /// The encoded scalars.
    private var pool: [UInt8] = []
    /// The objects of the strings, by the bytes of the string. Canonically equivalent strings, such as the names
    /// of two files, each keep their own spelling.
    private var strings: [[UInt8]: Int] = [:]
    private var integers: [Int128: Int] = [:]

    static func file(_ value: PrefsValue) throws(PrefsError) -> [UInt8] {
        var writer = BinaryWriter()
        _ = try writer.add(value)
        return writer.assembled()
    }

    /// Adds the value and everything in it; returns the number of its object.
    private mutating func add(_ value: PrefsValue) throws(PrefsError) -> Int {
        switch value {
        case .string(let text): return add(text)
        case .integer(let value): return try add(value)
        case .bool(let value): return addBytes { $0.append(value ? 0x09 : 0x08) }
        case .real(let value): return addBytes { $0.append(0x23, value.bitPattern, size: 8) }
        case .date(let date): return try add(date)
        case .data(let data):
            return addBytes {
                $0.appendHead(0x40, count: data.count)
                $0.append(contentsOf: data)
            }
        case .array(let elements): return try add(elements)
        case .dictionary(let content): return try add(content)
        }
    }

    private mutating func addBytes(_ body: (inout [UInt8]) -> Void) -> Int {
        let start = pool.count
        body(&pool)
        objects.append(.bytes(start..<pool.count))
        return objects.count - 1
    }

    private mutating func add(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        if let known = strings[bytes] { return known }
        let object = addBytes { pool in
            if bytes.allSatisfy({ $0 < 0x80 }) {
                pool.appendHead(0x50, count: bytes.count)
                pool.append(contentsOf: bytes)
            } else {
                pool.appendHead(0x60, count: text.utf16.count)
                for unit in text.utf16 { pool.append(number: UInt64(unit), size: 2) }
            }
        }
        strings[bytes] = object
        return object
    }

    private mutating func add(_ value: Int128) throws(PrefsError) -> Int {
        if let known = integers[value] { return known }
        let bits = UInt64(truncatingIfNeeded: try XMLWriter.inRange(value))
        let object = addBytes { pool in
            switch value {
            case 0...0xFF: pool.append(0x10, bits, size: 1)
            case 0...0xFFFF: pool.append(0x11, bits, size: 2)
            case 0...0xFFFF_FFFF: pool.append(0x12, bits, size: 4)
            case Int128(Int64.min)...Int128(Int64.max): pool.append(0x13, bits, size: 8)
            default:
                pool.append(0x14, 0, size: 8)
                pool.append(number: bits, size: 8)
            }
        }
        integers[value] = object
        return object
    }

    private mutating func add(_ date: Date) throws(PrefsError) -> Int {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite else { throw PrefsError(.notEncodable, reason: "the date is not finite") }
        return addBytes { $0.append(0x33, seconds.bitPattern, size: 8) }
    }

    private mutating func add(_ elements: [PrefsValue]) throws(PrefsError) -> Int {
        let object = reserve()
        objects[object] = .array(try elements.map { (element) throws(PrefsError) in try add(element) })
        return object
    }

    private mutating func add(_ content: [String: PrefsValue]) throws(PrefsError) -> Int {
        if let identifier = Self.identifier(content) { return addBytes { $0.appendIdentifier(identifier) } }
        let object = reserve()
        let entries = content.sortedByKey
        let keys = entries.map { add($0.key) }
        let values = try entries.map { (key, value) throws(PrefsError) in
            do throws(PrefsError) { return try add(value) } catch { throw error.below(key) }
        }
        objects[object] = .dictionary(keys: keys, values: values)
        return object
    }

    /// Reserves a number for a container before its contents get theirs, so that the root is object 0.
    private mutating func reserve() -> Int {
        objects.append(.array([]))
        return objects.count - 1
    }

    /// Returns the archiver's reference that a dictionary represents, if it represents one.
    private static func identifier(_ content: [String: PrefsValue]) -> UInt32? {
        guard content.count == 1, case .integer(let value)? = content[DocumentText.identifierKey] else {
            return nil
        }
        return UInt32(exactly: value)
    }
}

extension BinaryWriter {
    private func assembled() -> [UInt8] {
        let referenceSize = Self.size(for: objects.count - 1)
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(file.count)
            append(object, referenceSize, to: &file)
        }
        let table = file.count
        let offsetSize = Self.size(for: table)
        for offset in offsets { file.append(number: UInt64(offset), size: offsetSize) }
        file.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        for number in [objects.count, 0, table] { file.append(number: UInt64(number), size: 8) }
        return file
    }

    private func append(_ object: Object, _ referenceSize: Int, to file: inout [UInt8]) {
        switch object {
        case .bytes(let range): file.append(contentsOf: pool[range])
        case .array(let references):
            file.appendHead(0xA0, count: references.count)
            for reference in references { file.append(number: UInt64(reference), size: referenceSize) }
        case .dictionary(let keys, let values):
            file.appendHead(0xD0, count: keys.count)
            for reference in keys { file.append(number: UInt64(reference), size: referenceSize) }
            for reference in values { file.append(number: UInt64(reference), size: referenceSize) }
        }
    }

    /// Returns the smallest of the sizes that readers accept: 1, 2, 4 or 8 bytes.
    private static func size(for number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: UInt64, size: Int) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    fileprivate mutating func append(_ marker: UInt8, _ number: UInt64, size: Int) {
        append(marker)
        append(number: number, size: size)
    }

    /// Appends a marker with a count; a count of 15 or more follows as an integer.
    fileprivate mutating func appendHead(_ marker: UInt8, count: Int) {
        guard count >= 15 else { return append(marker | UInt8(count)) }
        append(marker | 0x0F)
        switch count {
        case ...0xFF: append(0x10, UInt64(count), size: 1)
        case ...0xFFFF: append(0x11, UInt64(count), size: 2)
        default: append(0x12, UInt64(count), size: 4)
        }
    }

    fileprivate mutating func appendIdentifier(_ identifier: UInt32) {
        switch identifier {
        case ...0xFF: append(0x80, UInt64(identifier), size: 1)
        case ...0xFFFF: append(0x81, UInt64(identifier), size: 2)
        default: append(0x83, UInt64(identifier), size: 4)
        }
    }
}
