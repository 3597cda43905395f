import PrefsDocuments

/// Binary property lists. Their objects may refer to each other and overlap.
extension Shape {
    static var binary: [Shape] {
        [
            Shape("binary-keys", .binaryPropertyList) { size in
                let content = (0..<size / 16).map { ("k\($0)", PrefsValue.integer(Int128($0))) }
                return try PrefsFileFormat.binaryPropertyList.serialize(
                    Dictionary(uniqueKeysWithValues: content))
            },
            Shape("binary-one-string", .binaryPropertyList) { references(0xA0, $0, ofSize: $0 / 2) },
            Shape("binary-one-key", .binaryPropertyList) { references(0xD0, $0, ofSize: $0 / 2) },
            // A reference takes one byte, but the value takes 32.
            Shape("binary-shared-strings", .binaryPropertyList) { references(0xA0, $0, ofSize: 10) },
            Shape("binary-shared-keys", .binaryPropertyList) { references(0xD0, $0, ofSize: 10) },
            // Every array refers to the next array 250 times.
            Shape("binary-shared-arrays", .binaryPropertyList) { size in
                let arrays = (0..<min(size / 256, 200)).map { index in
                    [0xAF, 0x10, 250] + [UInt8](repeating: UInt8(index + 3), count: 250)
                }
                let padding = [0x4F, 0x12] + number(size, 4) + [UInt8](repeating: 0, count: size)
                return file([[0xD1, 1, 2], [0x51, 0x61]] + arrays + [[0x09], padding])
            },
            // Overlapping strings. Each takes 4 KiB and begins four bytes after the previous one.
            Shape("binary-overlapping", .binaryPropertyList) { size in
                let text = (0..<size / 8).flatMap { _ in [0x5F, 0x11, 0x10, 0x00] as [UInt8] }
                let strings = size / 16
                let top = [0xAF, 0x12] + number(strings, 4) + (0..<strings).flatMap { number($0 + 3, 4) }
                let head: [[UInt8]] = [[0xD1, 0, 0, 0, 1, 0, 0, 0, 2], [0x51, 0x61], top]
                let start = 19 + top.count
                return assemble(
                    head + [text], [8, 17, 19] + (0..<strings).map { start + $0 * 4 % (size / 4) },
                    referenceSize: 4)
            },
        ]
    }

    /// Returns a file with an array or a dictionary that refers to the same string again and again.
    private static func references(_ marker: UInt8, _ size: Int, ofSize text: Int) -> [UInt8] {
        let isDictionary = marker == 0xD0
        let head = [0x5F, 0x12] + number(text, 4)
        let count = (size - text) / (isDictionary ? 2 : 1)
        let references = [UInt8](repeating: 2, count: count * (isDictionary ? 2 : 1))
        return file([
            [0xD1, 1, 3], [0x51, 0x61], head + [UInt8](repeating: 0x20, count: text),
            [marker | 0x0F, 0x12] + number(count, 4) + references,
        ])
    }

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func file(_ objects: [[UInt8]]) -> [UInt8] {
        var offsets: [Int] = []
        var offset = 8
        for object in objects {
            offsets.append(offset)
            offset += object.count
        }
        return assemble(objects, offsets, referenceSize: 1)
    }

    private static func assemble(_ objects: [[UInt8]], _ offsets: [Int], referenceSize: Int) -> [UInt8] {
        let body = Array("bplist00".utf8) + objects.joined()
        let table = offsets.flatMap { number($0, 4) }
        let trailer = [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)] + number(offsets.count, 8) + number(0, 8)
        return body + table + trailer + number(body.count, 8)
    }
}
