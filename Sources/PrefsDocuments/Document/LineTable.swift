/// Finds the line and column of an offset without counting from the start each time.
///
/// It counts lines only as far as the offsets require: offsets near the end of a large file are rare.
package struct LineTable: Sendable {
    /// For each block counted so far, the number and the offset of the line that the block begins in. A whole file
    /// may be one line.
    private var blocks: [Block] = []

    private struct Block {
        var line: Int
        var lineStart: Int
    }

    private static let blockSize = 512

    package init() {}

    /// - Parameter bytes: The text, which must be the same in each call.
    mutating func position(of offset: Int, in bytes: [UInt8]) -> PrefsPosition {
        let line = line(of: offset, in: bytes)
        return .line(line.line, column: offset - line.lineStart + 1)
    }

    /// Returns the start of the line that contains an offset.
    package mutating func lineStart(of offset: Int, in bytes: [UInt8]) -> Int {
        line(of: offset, in: bytes).lineStart
    }

    private mutating func line(of offset: Int, in bytes: [UInt8]) -> Block {
        let end = min(offset, bytes.count)
        let index = end / Self.blockSize
        if blocks.isEmpty { blocks.append(Block(line: 1, lineStart: 0)) }
        while blocks.count <= index {
            let last = blocks.count - 1
            let range = last * Self.blockSize..<(last + 1) * Self.blockSize
            blocks.append(Self.advance(blocks[last], over: range, of: bytes))
        }
        return Self.advance(blocks[index], over: index * Self.blockSize..<end, of: bytes)
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
