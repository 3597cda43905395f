/// Finds the line and column of an offset without counting from the start each time.
struct LineTable: Sendable {
    /// For each block, the line in which it begins, and the offset of that line: a whole file may be one
    /// line.
    private let blocks: [Block]

    private struct Block {
        var line: Int
        var lineStart: Int
    }

    private static let blockSize = 512

    init(_ bytes: [UInt8]) {
        var blocks: [Block] = []
        blocks.reserveCapacity(bytes.count / Self.blockSize + 1)
        var block = Block(line: 1, lineStart: 0)
        for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
            blocks.append(block)
            block = Self.advance(block, over: start..<min(start + Self.blockSize, bytes.count), of: bytes)
        }
        self.blocks = blocks
    }

    func position(of offset: Int, in bytes: [UInt8]) -> PrefsPosition {
        let index = min(offset / Self.blockSize, blocks.count - 1)
        guard index >= 0 else { return .line(1, column: 1) }
        let range = index * Self.blockSize..<min(offset, bytes.count)
        let place = Self.advance(blocks[index], over: range, of: bytes)
        return .line(place.line, column: offset - place.lineStart + 1)
    }

    private static let newline = UInt8(ascii: "\n")

    private static func advance(_ block: Block, over range: Range<Int>, of bytes: [UInt8]) -> Block {
        var block = block
        let text = bytes.span.extracting(range)
        // A block has 16 groups of 32 bytes, so that no byte of the sum overflows.
        var (counts, index) = (ByteWords.Counts.zero, 0)
        while let words = ByteWords(text, at: index) {
            words.add(occurrencesOf: newline, to: &counts)
            index += 32
        }
        var lines = ByteWords.sum(ofBytes: counts)
        while index < text.count {
            if text[index] == newline { lines += 1 }
            index += 1
        }
        if lines == 0 { return block }
        block.line += lines
        var last = text.count - 1
        while text[last] != newline { last -= 1 }
        block.lineStart = range.lowerBound + last + 1
        return block
    }
}
