import TestSupport
import Testing

@testable import PrefsDocuments

struct SpellingSuggestionTests {
    @Test(arguments: [("prot", "port", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0)])
    func `the distance is the fewest edits`(_ lhs: String, _ rhs: String, _ distance: Int) {
        let (lhs, rhs) = (Array(lhs.utf8), Array(rhs.utf8))
        for limit in 0...8 {
            let found = SpellingSuggestion.distance(lhs, rhs, atMost: limit)
            #expect(found == (distance <= limit ? distance : nil))
        }
    }

    @Test func `the bounded distance equals that of the whole table`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            func word() -> [UInt8] {
                (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                    .random(in: 97...99, using: &generator)
                }
            }
            let (lhs, rhs) = (word(), word())
            let distance = Self.distance(lhs, rhs)
            for limit in 0...9 {
                let found = SpellingSuggestion.distance(lhs, rhs, atMost: limit)
                #expect(found == (distance <= limit ? distance : nil), "\(lhs) \(rhs) \(limit)")
            }
        }
    }

    /// Returns the distance by its definition, without any shortcut.
    private static func distance(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
        var table = [[Int]](repeating: Array(0...rhs.count), count: lhs.count + 1)
        for row in 1..<lhs.count + 1 {
            table[row][0] = row
            for column in 1..<rhs.count + 1 {
                let replaced = table[row - 1][column - 1] + (lhs[row - 1] == rhs[column - 1] ? 0 : 1)
                table[row][column] = min(replaced, table[row - 1][column] + 1, table[row][column - 1] + 1)
                if row > 1, column > 1, lhs[row - 1] == rhs[column - 2], lhs[row - 2] == rhs[column - 1] {
                    table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
                }
            }
        }
        return table[lhs.count][rhs.count]
    }

    @Test func `a very long name has no suggestion`() {
        let long = String(repeating: "a", count: 129)
        #expect(SpellingSuggestion.nearest(to: long, among: [long]) == nil)
        #expect(
            SpellingSuggestion.nearest(to: "\(long.dropFirst(2))b", among: ["\(long.dropFirst(2))c", long])
                == "\(long.dropFirst(2))c")
    }

    @Test(
        arguments: [
            ("prot", "port"), ("HTTP.PORT", "http.port"), ("http.prt", "http.port"), ("zzz", nil), ("", nil),
        ] as [(String, String?)])
    func `suggests the nearest name if it is near enough`(name: String, suggestion: String?) {
        #expect(SpellingSuggestion.nearest(to: name, among: ["port", "http.port", "log"]) == suggestion)
    }

    @Test func `suggests nothing for a text longer than any name`() {
        let text = String(repeating: "a", count: 100_000)
        #expect(SpellingSuggestion.nearest(to: text, among: [text + "b"]) == nil)
    }
}
