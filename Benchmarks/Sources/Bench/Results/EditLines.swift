import Foundation

/// The cache lines that programs touch for an edit, and the time that the edit takes after a pause. Both come from
/// `edit-lines.tsv`. They are measured by hand, because they include earlier versions.
struct EditLines {
    private struct Entry {
        let program: String
        let version: String
        let lines: Double
        let time: Double

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 4, let lines = Double(fields[2]), let time = Double(fields[3]) else {
                return nil
            }
            (program, version, self.lines, self.time) = (fields[0], fields[1], lines, time)
        }
    }

    private let entries: [Entry]

    /// - Parameter folder: The folder of `RESULTS.md`. If it does not contain the file, there are no entries.
    init(in folder: String) {
        let text = (try? String(contentsOfFile: folder + "/edit-lines.tsv", encoding: .utf8)) ?? ""
        entries = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap(Entry.init)
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The section of the document.
    func section(picture: String) -> String {
        """
        ## Cold time and cache lines

        ![Cold time and cache lines](\(picture))

        The time from the rename to the new value, 60 ms after the previous edit. It grows with the number of distinct cache
        lines of code and data, not with the number of instructions. `Scripts/check guard --lines` counts the cache lines. The
        times are medians of `latency.rename` in µs; the versions take turns. `Scripts/bench` does not measure this again.

        | | version | cache lines | µs |
        |---|---|---|---|
        \(entries.map { "| \($0.program) | \($0.version) | \(Number.text($0.lines)) | \(Number.text($0.time)) |" }
            .joined(separator: "\n"))

        """
    }

    /// The chart as SVG, readable on light and dark pages.
    var svg: String {
        let scale = Scale(
            lines: (entries.map(\.lines).max() ?? 1) * 1.15, time: (entries.map(\.time).max() ?? 1) * 1.15)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 420" width="860" \
            font-family="system-ui, sans-serif" font-size="12" fill="#24292f">
            <rect width="100%" height="100%" fill="#ffffff"/>
            <text x="14" y="24" font-size="16" font-weight="700">Cold time and cache lines</text>
            <text x="14" y="42" fill="#57606a">µs from rename to the new value, by distinct cache lines of 64 bytes</text>
            \(scale.axes)\(points(scale))</svg>

            """
    }

    /// The points with their labels. A label that would overlap another one is moved up.
    private func points(_ scale: Scale) -> String {
        var (drawn, labelAbove) = ("", Int.max)
        for entry in entries.sorted(by: { $0.time < $1.time }) {
            let (x, y) = (scale.x(entry.lines), scale.y(entry.time))
            labelAbove = min(y + 4, labelAbove - 16)
            let isFirstHalf = entry.lines < scale.lines / 2
            let place = isFirstHalf ? "x=\"\(x + 10)\"" : "x=\"\(x - 10)\" text-anchor=\"end\""
            let color = entry.program.hasPrefix("C:") ? "#8c959f" : "#bc4c00"
            drawn += """
                <circle cx="\(x)" cy="\(y)" r="5" fill="\(color)"/>
                <text \(place) y="\(labelAbove)">\(entry.program) (\(entry.version))</text>

                """
        }
        return drawn
    }

    /// Maps values to places in the chart.
    private struct Scale {
        let lines: Double
        let time: Double

        func x(_ lines: Double) -> Int { 60 + Int(700 * lines / self.lines) }

        func y(_ time: Double) -> Int { 380 - Int(320 * time / self.time) }

        var axes: String {
            let marks = stride(from: 0, to: lines, by: 1_000).map { mark in
                """
                <path d="M\(x(mark)) 60V380" stroke="#d0d7de"/>
                <text x="\(x(mark))" y="396" text-anchor="middle" fill="#57606a">\(Number.text(mark))</text>

                """
            }
            let times = stride(from: 0, to: time, by: 100).map { mark in
                """
                <path d="M60 \(y(mark))H800" stroke="#d0d7de"/>
                <text x="52" y="\(y(mark) + 4)" text-anchor="end" fill="#57606a">\(Number.text(mark))</text>

                """
            }
            return (marks + times).joined()
        }
    }
}
