/// Rows of cells. They are aligned and coloured on a terminal, otherwise separated by tabs.
struct Table {
    struct Cell {
        var text: TerminalText
        var colour: Style.Colour?

        init(_ text: String, _ colour: Style.Colour? = nil) {
            self.text = TerminalText(text)
            self.colour = colour
        }
    }

    private var rows: [[Cell]] = []

    mutating func add(_ cells: Cell...) { rows.append(cells) }

    var isEmpty: Bool { rows.isEmpty }

    /// Prints the rows.
    ///
    /// - Parameter isPart: True for a part of a report. Its rows are indented, and aligned even without a
    ///   terminal.
    func print(asPart isPart: Bool = false) {
        let style = Style.output
        guard isPart || style.isTerminal else {
            for row in rows { Output.print(row.map(\.text).joined(separator: "\t")) }
            return
        }
        let columns = rows.map(\.count).max() ?? 0
        // Cells of more than 48 characters do not count, so that a long value does not push other columns off the
        // screen.
        let widths = (0..<columns).map { column in
            rows.map { $0.count > column ? $0[column].text.count : 0 }.filter { $0 <= 48 }.max() ?? 0
        }
        for row in rows { Output.print((isPart ? "  " : "") + line(row, widths, style)) }
    }

    private func line(_ row: [Cell], _ widths: [Int], _ style: Style) -> TerminalText {
        var line: TerminalText = ""
        var padding = 0
        for (cell, width) in zip(row, widths) {
            if cell.text.count > 0 {
                line =
                    line + TerminalText(String(repeating: " ", count: padding))
                    + style(cell.text, cell.colour)
                padding = 0
            }
            padding += max(width - cell.text.count, 0) + 2
        }
        return line
    }
}

extension Int {
    /// The number with a noun: `1 key`, `2 keys`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
