import Foundation

/// `RESULTS.md` and its plots, from what one run found.
struct Document {
    private let results: [RowResult]
    private let facts: [String]

    /// - Parameter folder: What `--json` wrote.
    init(reading folder: String, order: [String]) throws {
        let decoder = JSONDecoder()
        results = try order.compactMap { id in
            let path = "\(folder)/\(id).json"
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return try decoder.decode(RowResult.self, from: Data(contentsOf: URL(filePath: path)))
        }
        facts = Machine.facts
    }

    func write(to folder: String) throws {
        let plots = folder + "/plots"
        try? FileManager.default.removeItem(atPath: plots)
        try FileManager.default.createDirectory(atPath: plots, withIntermediateDirectories: true)
        try Data(overview.svg.utf8).write(to: URL(filePath: plots + "/overview.svg"))
        for (index, group) in groups.enumerated() {
            guard let plot = plot(of: group) else { continue }
            try Data(plot.svg.utf8).write(to: URL(filePath: "\(plots)/\(Self.name(index)).svg"))
        }
        try Data(text.utf8).write(to: URL(filePath: folder + "/RESULTS.md"))
    }

    private var groups: [String] {
        results.reduce(into: []) { groups, result in
            if !groups.contains(result.group) { groups.append(result.group) }
        }
    }

    private static func name(_ index: Int) -> String { "group-\(index + 1)" }

    // MARK: text

    private var text: String {
        """
        # What speed is known

        Written by `make bench`; not by hand. Every row is measured in one run beside its floor (the least that
        such work can cost) and whatever peers this machine has, taking turns sample by sample, so that ratios
        mean something where times do not: **no absolute time here is a claim**. The code that is measured
        stands in `Benchmarks/Sources`, outside the library's module and package, compiled `-c release`. To ask
        again: `make bench ROW=typed.int`, or without the rows of `@Pref` and without building any macro
        `swift run -c release --package-path Benchmarks Bench typed.int` (from `Benchmarks/`:
        `swift run -c release Bench typed.int`).

        \(facts.map { "- \($0)" }.joined(separator: "\n"))

        ![Every row beside its yardstick](plots/overview.svg)

        ## Goals

        | | row | goal | found |
        |---|---|---|---|
        \(results.flatMap(goalLines).joined(separator: "\n"))

        \(groups.enumerated().map { section($1, $0) }.joined(separator: "\n"))
        """
    }

    private func goalLines(_ result: RowResult) -> [String] {
        result.goals.map { goal in
            let outcome = result.outcome(of: goal)
            let mark = outcome.map { $0.isMet ? "reached" : "**missed**" } ?? "not measured"
            let found = outcome.map { Number.text($0.value) } ?? "–"
            return "| \(mark) | \(result.id) | \(Verdict.aim(of: goal, in: result)) | \(found) |"
        }
    }

    private func section(_ group: String, _ index: Int) -> String {
        let rows = results.filter { $0.group == group }
        let picture = plot(of: group) == nil ? "" : "\n![\(group)](plots/\(Self.name(index)).svg)\n"
        return "## \(group)\n\(picture)\n" + rows.map(table).joined(separator: "\n")
    }

    private func table(_ result: RowResult) -> String {
        let yardstick = result.yardstick
        let showsTail = result.id.hasPrefix("latency") || result.id.hasPrefix("watching")
        var lines = [
            "### `\(result.id)` \(result.title)", "",
            "In \(result.unit); \(result.how). \(samples(result))", "",
            "| | least | median |\(showsTail ? " p99 |" : "") ratio of the least | of the medians | allocations |",
            "|---|---|---|\(showsTail ? "---|" : "")---|---|---|",
        ]
        for figure in result.figures {
            let name = figure.role == .ours ? "**\(figure.name)**" : figure.name
            let tail = showsTail ? " \(Number.text(figure.quantile(0.99))) |" : ""
            lines.append(
                "| \(name) | \(Number.text(figure.least)) | \(Number.text(figure.median)) |\(tail)"
                    + " \(ratio(figure, yardstick, .least)) | \(ratio(figure, yardstick, .median))"
                    + " | \(figure.allocations.map(Number.text) ?? "") |")
        }
        if !result.skipped.isEmpty {
            lines += ["", "Skipped: " + result.skipped.joined(separator: "; ") + "."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func samples(_ result: RowResult) -> String {
        let counts = result.figures.map(\.samples.count)
        guard let least = counts.min(), let most = counts.max() else { return "" }
        return least == most ? "\(least) samples each." : "\(least) to \(most) samples."
    }

    private func ratio(_ figure: Figure, _ yardstick: Figure?, _ statistic: Goal.Statistic) -> String {
        guard let yardstick, yardstick.name != figure.name else { return "" }
        let ratio = figure.value(of: statistic) / yardstick.value(of: statistic)
        return ratio.isFinite ? Number.text(ratio) + "×" : "–"
    }

    // MARK: plots

    private var overview: Plot {
        let ours = results.filter { $0.figures.contains { $0.role != .ours } && !$0.id.hasPrefix("threads") }
            .flatMap { result in
                let first = result.figures.first { $0.role == .ours }
                return bars(of: result).filter { $0.label == first?.name }.map {
                    Plot.Bar(label: result.id, ratio: $0.ratio, role: .ours, limit: $0.limit)
                }
            }
        return Plot(
            title: "LayeredPrefs beside the floor of each row",
            note:
                "Ratio to the floor measured in the same run (logarithmic; less is better).",
            sections: [Plot.Section(title: "", bars: ours)])
    }

    private func plot(of group: String) -> Plot? {
        let rows = results.filter { $0.group == group && $0.figures.count > 1 }
        guard !rows.isEmpty else { return nil }
        return Plot(
            title: group, note: "Ratio to the first floor of each row (logarithmic).",
            sections: rows.map { Plot.Section(title: "\($0.id): \($0.title)", bars: bars(of: $0)) })
    }

    private func bars(of result: RowResult) -> [Plot.Bar] {
        guard let yardstick = result.yardstick else { return [] }
        let statistic: Goal.Statistic =
            result.goals.first { $0.kind == .atMost || $0.kind == .shareOf }?.statistic ?? .least
        return result.figures.compactMap { figure in
            let ratio = figure.value(of: statistic) / yardstick.value(of: statistic)
            guard ratio.isFinite else { return nil }
            let goal = result.goals.first {
                $0.kind == .atMost && $0.subject == figure.name && $0.other == yardstick.name
            }
            return Plot.Bar(label: figure.name, ratio: ratio, role: figure.role, limit: goal?.limit)
        }
    }
}

/// What was measured on.
enum Machine {
    static var facts: [String] {
        var facts = [
            "\(ProcessInfo.processInfo.activeProcessorCount) processors" + (model.map { ", \($0)" } ?? "")
        ]
        facts.append("Linux \(first(of: "/proc/sys/kernel/osrelease")), \(compiler)")
        facts.append(
            "load averages at the end of the run: \(load); above the number of processors others disturbed it"
        )
        return facts
    }

    private static var compiler: String {
        #if swift(>=6.4)
            "Swift 6.4 or later"
        #elseif swift(>=6.3)
            "Swift 6.3"
        #else
            "Swift"
        #endif
    }

    private static var model: String? {
        let lines = ((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "").split(
            separator: "\n")
        return lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    private static var load: String {
        first(of: "/proc/loadavg").split(separator: " ").prefix(3).joined(separator: ", ")
    }

    private static func first(of path: String) -> String {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").first.map(
            String.init) ?? ""
    }
}
