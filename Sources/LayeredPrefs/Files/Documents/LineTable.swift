/// Finds the line and column of an offset without counting from the start each time.
struct LineTable: Sendable {
    /// How many line feeds lie before each block.
    private let counts: [Int]

    private static let blockSize = 2048

    init(_ bytes: [UInt8]) {
        var counts: [Int] = []
        var count = 0
        for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
            counts.append(count)
            count += Self.lineFeeds(in: bytes, start..<min(start + Self.blockSize, bytes.count))
        }
        self.counts = counts
    }

    func position(of offset: Int, in bytes: [UInt8]) -> PrefsPosition {
        let block = offset / Self.blockSize
        guard block < counts.count else { return .line(1, column: nil) }
        let line = counts[block] + Self.lineFeeds(in: bytes, block * Self.blockSize..<offset) + 1
        let lineStart = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return .line(line, column: offset - lineStart + 1)
    }

    private static func lineFeeds(in bytes: [UInt8], _ range: Range<Int>) -> Int {
        var count = 0
        for index in range where bytes[index] == UInt8(ascii: "\n") { count += 1 }
        return count
    }
}
