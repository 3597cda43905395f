/// Builds binary property lists byte by byte, valid or not.
enum BinaryFile {
    /// Returns a file of these objects. The first object is the top object.
    static func bytes(
        _ objects: [[UInt8]], referenceSize: Int = 1, offsetSize: Int = 1, top: Int = 0, count: Int? = nil,
        table: Int? = nil, gap: [UInt8] = []
    ) -> [UInt8] {
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(file.count)
            file += object
        }
        let start = file.count
        for offset in offsets { file += number(offset, offsetSize) }
        file += gap + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        return file + number(count ?? objects.count, 8) + number(top, 8) + number(table ?? start, 8)
    }

    static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Returns a file with the dictionary `{a: value}`.
    static func holding(_ value: [UInt8]) -> [UInt8] {
        bytes([[0xD1, 1, 2], [0x51, 0x61], value])
    }

    /// Returns a file of nested arrays. Each array contains the next one twice.
    static func doubling(_ count: Int) -> [UInt8] {
        bytes((0..<count).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]])
    }
}
