import Testing

@testable import PrefsDocuments

struct LineTableTests {
    @Test(arguments: [
        ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 3, 1, 4), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1),
        ("\n\n\n", 3, 4, 1), ("a\r\nb", 3, 2, 1), ("é\nx", 3, 2, 1),
    ])
    func `counts lines, and columns in bytes`(text: String, offset: Int, line: Int, column: Int) {
        let bytes = Array(text.utf8)
        #expect(LineTable(bytes).position(of: offset, in: bytes) == .line(line, column: column))
    }

    @Test func `a text of nothing but line feeds has as many lines`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 5000)
        let table = LineTable(bytes)
        for offset in [0, 255, 256, 511, 512, 513, 4999, 5000] {
            #expect(table.position(of: offset, in: bytes) == .line(offset + 1, column: 1))
        }
    }

    @Test func `every offset of a long text has the position that counting gives`() {
        let bytes = Array(
            (0..<300).map { String(repeating: "x", count: $0 % 40) }.joined(separator: "\n").utf8)
        let table = LineTable(bytes)
        var (line, column) = (1, 1)
        for offset in bytes.indices {
            #expect(table.position(of: offset, in: bytes) == .line(line, column: column))
            (line, column) = bytes[offset] == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
        }
    }
}
