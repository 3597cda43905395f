import Testing

@testable import LayeredPrefsCommands

@Suite struct WatchTableTests {
    private func table(_ count: Int) -> WatchTable {
        var table = WatchTable()
        for index in 0..<count {
            table.set("key\(index)", .init(value: "\(index)", source: "user", changed: nil))
        }
        return table
    }

    @Test func `rows are sorted and fill the screen`() {
        var table = table(3)
        table.set("a", .init(value: "x", source: "default", changed: "12:00:00"))
        let lines = table.lines(width: 60, height: 8, .plain).map(\.text)
        #expect(lines.count == 8)
        #expect(lines[1].hasPrefix("● a "))
        #expect(lines[1].contains("12:00:00"))
        #expect(lines[2].hasPrefix("  key0"))
        #expect(lines[7].hasPrefix("q quits"))
        #expect(lines.allSatisfy { $0.count <= 60 })
    }

    @Test(arguments: [(1, 1), (10, 3), (40, 5), (200, 50)])
    func `no line is longer than the screen is wide`(width: Int, height: Int) {
        var table = table(100)
        let long = String(repeating: "long ", count: 100)
        table.set(long, .init(value: TerminalText(long), source: TerminalText(long), changed: nil))
        let lines = table.lines(width: max(width, 40), height: height, .plain)
        #expect(lines.allSatisfy { $0.count <= max(width, 40) })
        #expect(lines.count == max(height, 3))
    }

    @Test func `scrolling stops at both ends`() {
        var table = table(10)
        table.scroll(by: -5, height: 6)
        #expect(table.lines(width: 60, height: 6, .plain)[1].text.hasPrefix("  key0"))
        table.scroll(by: 100, height: 6)
        let lines = table.lines(width: 60, height: 6, .plain).map(\.text)
        #expect(lines[4].hasPrefix("  key9"))
        #expect(lines[5].contains("7–10 of 10"))
    }

    @Test func `controls in keys and values are escaped`() {
        var table = WatchTable()
        table.set("a\u{1B}[2J", .init(value: TerminalText("\u{7}x"), source: "user", changed: nil))
        #expect(!table.lines(width: 60, height: 4, .plain).contains { $0.text.contains("\u{1B}[2J") })
    }
}
