import Foundation

/// A bar chart with a logarithmic axis. Each bar is a ratio to its row's reference.
struct Plot {
    /// One bar.
    struct Bar {
        let label: String
        let ratio: Double
        let role: Figure.Role
        /// The goal, as a ratio to the same reference.
        var limit: Double?
    }

    /// A group of bars under a heading.
    struct Section {
        let title: String
        let bars: [Bar]
    }

    let title: String
    let note: String
    let sections: [Section]

    private let labels = 310.0
    private let width = 860.0
    private let lineHeight = 20.0

    /// The chart as SVG, readable on light and dark pages.
    var svg: String {
        var y = 72.0
        var body = ""
        for section in sections where !section.bars.isEmpty {
            if !section.title.isEmpty {
                body += text(14, y + 12, section.title, "font-weight=\"600\"")
                y += lineHeight
            }
            for bar in section.bars {
                body += draw(bar, at: y)
                y += lineHeight
            }
            y += 8
        }
        let height = y + 34
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            width="\(Int(width))" font-family="system-ui, sans-serif" font-size="12" fill="#24292f">
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(text(14, 24, title, "font-size=\"16\" font-weight=\"700\""))\(text(14, 42, note, "fill=\"#57606a\""))
            \(axis(from: 66, to: y))\(body)\(legend(at: y + 22))</svg>

            """
    }

    private var ratios: [Double] {
        sections.flatMap { $0.bars.flatMap { [$0.ratio, $0.limit ?? $0.ratio] } }
    }

    /// The exponents of ten that enclose all ratios.
    private var range: (low: Double, high: Double) {
        let logs = ratios.filter { $0 > 0 && $0.isFinite }.map { log10($0) } + [0]
        let low = (logs.min() ?? 0) - 0.15
        return (min(low, -0.35), max((logs.max() ?? 0) + 0.35, 0.5))
    }

    private func x(_ ratio: Double) -> Double {
        let (low, high) = range
        let share = (log10(max(ratio, 1e-9)) - low) / (high - low)
        return labels + (width - labels - 30) * min(max(share, 0), 1)
    }

    private func draw(_ bar: Bar, at y: Double) -> String {
        let end = x(bar.ratio)
        var drawn = text(labels - 8, y + 13, bar.label, "text-anchor=\"end\"")
        drawn += """
            <rect x="\(number(labels))" y="\(number(y + 3))" width="\(number(max(end - labels, 1.5)))" \
            height="13" rx="2" fill="\(color(of: bar))"/>

            """
        let mark = bar.limit.map(x)
        // Put the label beside the goal's mark, not across it.
        let place = mark.map { $0 > end - 3 && $0 < end + 48 ? $0 : end } ?? end
        drawn += text(place + 5, y + 13, Number.text(bar.ratio) + "×", Self.halo)
        guard let mark else { return drawn }
        return drawn + """
            <path d="M\(number(mark)) \(number(y))v19" stroke="#cf222e" stroke-width="2"/>

            """
    }

    /// The attributes of bold text that stays readable across lines.
    private static let halo = "font-weight=\"600\" paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"3\""

    private func color(of bar: Bar) -> String {
        switch bar.role {
        case .ours: bar.limit.map { bar.ratio <= $0 } ?? true ? "#1f883d" : "#bc4c00"
        case .floor: "#8c959f"
        case .peer: "#54aeff"
        }
    }

    private func axis(from top: Double, to bottom: Double) -> String {
        let (low, high) = range
        var lines = ""
        for power in Int(low.rounded(.up))...Int(high.rounded(.down)) {
            let place = number(x(pow(10, Double(power))))
            let stroke = power == 0 ? "#57606a" : "#d0d7de"
            lines += "<path d=\"M\(place) \(number(top))V\(number(bottom))\" stroke=\"\(stroke)\"/>\n"
            let name = Number.text(pow(10, Double(power)))
            lines += text(
                Double(place) ?? 0, top - 2, name + "×",
                "text-anchor=\"middle\" font-size=\"10\" fill=\"#57606a\"")
        }
        return lines
    }

    private func legend(at y: Double) -> String {
        let entries = [
            ("#1f883d", "LayeredPrefs"), ("#bc4c00", "LayeredPrefs, beyond its goal"), ("#8c959f", "floor"),
            ("#54aeff", "peer"),
        ]
        var x = 14.0
        var drawn = ""
        for (color, name) in entries {
            drawn +=
                "<rect x=\"\(number(x))\" y=\"\(number(y - 10))\" width=\"12\" height=\"12\" rx=\"2\" fill=\"\(color)\"/>"
            drawn += text(x + 17, y, name, "")
            x += 40 + Double(name.count) * 6.6
        }
        drawn += "<path d=\"M\(number(x)) \(number(y - 11))v14\" stroke=\"#cf222e\" stroke-width=\"2\"/>"
        return drawn + text(x + 8, y, "goal", "")
    }

    private func text(_ x: Double, _ y: Double, _ text: String, _ attributes: String) -> String {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
        return "<text x=\"\(number(x))\" y=\"\(number(y))\" \(attributes)>\(escaped)</text>\n"
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
