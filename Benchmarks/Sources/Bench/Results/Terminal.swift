import Foundation

/// The rendering of a row's results as a table for a terminal.
enum Terminal {
    static func text(of result: RowResult) -> String {
        let yardstick = result.yardstick
        var lines = ["\(result.id): \(result.title), \(result.unit)"]
        for figure in result.figures {
            let ratio = yardstick.map { "\(Number.text(figure.least / $0.least))×" } ?? ""
            let allocations = figure.allocations.map { "  \(Number.text($0)) allocations" } ?? ""
            lines.append(
                "  \(pad(figure.name, 44)) \(left(ratio, 9))  least \(left(Number.text(figure.least), 9))"
                    + "  median \(left(Number.text(figure.median), 9))\(allocations)")
        }
        for goal in result.goals { lines.append("  " + Verdict.text(of: goal, in: result)) }
        for skipped in result.skipped { lines.append("  skipped \(skipped)") }
        return lines.joined(separator: "\n")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func left(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// The formatting of numbers with about three significant digits.
enum Number {
    static func text(_ number: Double) -> String {
        let size = abs(number)
        if number.isNaN { return "–" }
        if size >= 10_000 { return grouped(Int(number.rounded())) }
        if size >= 100 || number == number.rounded() { return String(format: "%.0f", number) }
        if size >= 10 { return String(format: "%.1f", number) }
        return String(format: size >= 0.1 ? "%.2f" : "%.3f", number)
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(abs(number))
        var parts: [String] = []
        while digits.count > 3 {
            parts.insert(String(digits.suffix(3)), at: 0)
            digits = String(digits.dropLast(3))
        }
        return (number < 0 ? "-" : "") + ([digits] + parts).joined(separator: ",")
    }
}

/// The description of a goal and its outcome.
enum Verdict {
    static func text(of goal: Goal, in result: RowResult) -> String {
        let found = result.outcome(of: goal)
        let mark = found.map { $0.isMet ? "reached" : "MISSED" } ?? "not measured"
        return "\(mark): \(aim(of: goal, in: result))" + (found.map { ", is \(Number.text($0.value))" } ?? "")
    }

    static func aim(of goal: Goal, in result: RowResult) -> String {
        let limit = Number.text(goal.limit)
        let other = goal.other ?? ""
        let statistic = goal.statistic == .least ? "" : " (\(goal.statistic.rawValue))"
        let aim =
            switch goal.kind {
            case .atMost: "≤ \(limit)× \(other)"
            case .timesFaster: "≥ \(limit)× faster than \(other)"
            case .absolute: "≤ \(limit) \(result.unit)"
            case .shareOf: "≥ \(limit)× \(other)"
            case .above: "≤ \(limit) \(result.unit) above \(other)"
            case .allocations: "\(limit) allocations"
            }
        return "\(goal.subject) \(aim)\(statistic)"
    }
}
