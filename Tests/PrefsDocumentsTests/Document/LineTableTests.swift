import Testing

@testable import PrefsDocuments

struct LineTableTests {
    @Test(arguments: [
        ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 3, 1, 4), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1),
        ("\n\n\n", 3, 4, 1), ("a\r\nb", 3, 2, 1), ("é\nx", 3, 2, 1),
    ])
    func `counts lines, and columns in bytes`(text: String, offset: Int, line: Int, column: Int) {
        let bytes = Array(text.utf8)
        var table = LineTable()
        #expect(table.position(of: offset, in: bytes) == .line(line, column: column))
    }

    @Test func `a text of nothing but line feeds has as many lines`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 5000)
        var table = LineTable()
        for offset in [0, 255, 256, 511, 512, 513, 4999, 5000] {
            #expect(table.position(of: offset, in: bytes) == .line(offset + 1, column: 1))
        }
    }

    @Test func `every offset of a long text has the position that counting gives`() {
        let bytes = Array(
            (0..<300).map { String(repeating: "x", count: $0 % 40) }.joined(separator: "\n").utf8)
        var table = LineTable()
        var (line, column) = (1, 1)
        for offset in bytes.indices {
            #expect(table.position(of: offset, in: bytes) == .line(line, column: column))
            (line, column) = bytes[offset] == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
        }
    }

    @Test func `offsets can be asked for in any order`() {
        let bytes = Array((0..<200).map { String(repeating: "x", count: $0) }.joined(separator: "\n").utf8)
        var ascending = LineTable()
        let positions = bytes.indices.map { ascending.position(of: $0, in: bytes) }
        var table = LineTable()
        for offset in bytes.indices.reversed() {
            #expect(table.position(of: offset, in: bytes) == positions[offset])
        }
    }
}
