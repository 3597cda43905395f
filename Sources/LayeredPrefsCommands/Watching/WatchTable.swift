/// The rows of a live table of keys. They are sorted by key, and rows that changed are marked.
struct WatchTable {
    struct Row {
        var value: TerminalText
        var source: TerminalText
        /// The time of the last change, as text; `nil` if the value has not changed since the start.
        var changed: String?
    }

    private(set) var rows: [String: Row] = [:]
    private var keys: [String] = []
    /// The index of the first visible row.
    private var top = 0
    /// The last line of the screen, which shows a problem or help.
    var footer: TerminalText = "q quits"
    var title: TerminalText = ""

    /// Sets a key's row. The row of a removed key stays, so that the user sees the change.
    mutating func set(_ key: String, _ row: Row) {
        if rows.updateValue(row, forKey: key) == nil {
            let index = keys.firstIndex { $0 > key } ?? keys.count
            keys.insert(key, at: index)
        }
    }

    /// Scrolls by some rows.
    mutating func scroll(by count: Int, height: Int) {
        top = max(0, min(top + count, keys.count - Self.capacity(height)))
    }

    /// Returns the lines of a screen. No line is wider than the screen.
    func lines(width: Int, height: Int, _ style: Style) -> [TerminalText] {
        let shown = keys[min(top, keys.count)...].prefix(Self.capacity(height))
        let columns = Columns(width: width, longestKey: shown.map(\.count).max() ?? 0)
        var lines = [style(title.padded(to: width), .bold)]
        for key in shown {
            if let row = rows[key] { lines.append(line(key, row, columns, style)) }
        }
        lines += Array(repeating: "", count: max(height - lines.count - 1, 0))
        let place = keys.count > shown.count ? " · \(top + 1)–\(top + shown.count) of \(keys.count)" : ""
        return lines + [style((footer + TerminalText(place)).padded(to: width), .dim)]
    }

    private func line(_ key: String, _ row: Row, _ columns: Columns, _ style: Style) -> TerminalText {
        let mark: TerminalText = row.changed == nil ? "  " : style("● ", .yellow)
        let start =
            mark + style(TerminalText(key).padded(to: columns.key), .bold) + "  "
            + style(row.value.padded(to: columns.value), row.changed == nil ? nil : .yellow)
        guard columns.source > 0 else { return start }
        return start + "  " + style(TerminalText(row.changed ?? "").padded(to: 8), .yellow) + "  "
            + style(row.source.padded(to: columns.source), .dim)
    }

    /// The widths of the columns. A narrow screen has no source column.
    private struct Columns {
        let key: Int
        let value: Int
        let source: Int

        init(width: Int, longestKey: Int) {
            let isNarrow = width < 60
            key = max(min(longestKey, isNarrow ? (width - 4) / 2 : width / 3), 1)
            source = isNarrow ? 0 : width / 4
            value = max(width - key - source - (isNarrow ? 4 : 16), 1)
        }
    }

    /// Returns the number of rows between the title and the footer.
    private static func capacity(_ height: Int) -> Int { max(height - 2, 1) }
}

extension TerminalText {
    /// Returns the text with exactly this many columns. It is cut with an ellipsis, or followed by spaces.
    fileprivate func padded(to width: Int) -> TerminalText {
        if count > width { return prefix(max(width - 1, 0)) + "…" }
        return self + TerminalText(String(repeating: " ", count: width - count))
    }
}
