import Foundation

/// The instructions and allocations per operation of each hot path, as in `baseline.tsv`.
struct Baseline {
    struct Row {
        var name: String
        /// The instructions, or another count that the name states; 0 if they were not counted.
        var instructions: Int
        var allocations: Double
    }

    /// The architecture and the compiler. Instructions of different systems cannot be compared.
    var system: String
    var rows: [Row]

    /// Reads a baseline.
    init(file path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        system = lines.filter { $0.hasPrefix("# ") }.last.map { String($0.dropFirst(2)) } ?? ""
        rows = lines.filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t").map(String.init)
            return Row(
                name: fields[0], instructions: Int(fields[1]) ?? 0, allocations: Double(fields[2]) ?? 0)
        }
    }

    /// Reads the output of `Bench --guard` and `Bench --edits` from the files `names` and `edits`, and callgrind's
    /// counts beside them, if there are any.
    init(measuredIn folder: String, on system: String) throws {
        self.system = system
        let lines = try String(contentsOfFile: "\(folder)/names", encoding: .utf8).split(separator: "\n")
        rows = lines.enumerated().map { index, line in
            let fields = line.split(separator: "\t").map(String.init)
            // callgrind counts threads separately. The first thread does the work.
            let instructions = Self.instructions(in: "\(folder)/counts.\(index + 1)-01")
            return Row(
                name: fields[0], instructions: instructions / (Int(fields[1]) ?? 1),
                allocations: Double(fields[2]) ?? 0)
        }
        rows += try Self.editRows(measuredIn: folder)
    }

    /// Returns the rows of an edit, with the medians of all edits.
    private static func editRows(measuredIn folder: String) throws -> [Row] {
        var counts: [Substring: [Int]] = [:]
        for line in try String(contentsOfFile: "\(folder)/edits", encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            counts[words[0], default: []].append(Int(words[1]) ?? 0)
        }
        func median(_ name: Substring) -> Int? {
            counts[name].map { $0.sorted()[$0.count / 2] }
        }
        // There is one file for each edit. It is named after the thread that called the observer.
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        counts["instructions"] = files.filter { $0.hasPrefix("edit.") }
            .map { instructions(in: "\(folder)/\($0)") }
        let name = "edit until the observer is called"
        return [
            Row(
                name: name, instructions: median("instructions") ?? 0,
                allocations: Double(median("allocations") ?? 0)),
            Row(name: name + ": system calls", instructions: median("calls") ?? 0, allocations: 0),
            Row(name: name + ": threads woken", instructions: median("threads") ?? 0, allocations: 0),
        ]
    }

    /// Returns the total of one of callgrind's files; 0 if there is none.
    private static func instructions(in file: String) -> Int {
        let counts = try? String(contentsOfFile: file, encoding: .utf8)
        let total = counts?.split(separator: "\n").first { $0.hasPrefix("totals: ") }
        return total.flatMap { Int($0.dropFirst("totals: ".count)) } ?? 0
    }

    /// The text of `baseline.tsv`.
    var text: String {
        """
        # Instructions and allocations per operation of each hot path, written by Scripts/check guard --update.
        # \(system)

        """ + rows.map { "\($0.name)\t\($0.instructions)\t\(Number.text($0.allocations))\n" }.joined()
    }
}

extension Baseline {
    /// The share of change in instructions that gives no verdict.
    private static let tolerance = 0.1

    /// Prints a table of the measured counts. Returns false if a path exceeds this baseline.
    func compare(_ measured: Baseline) -> Bool {
        let isSame = measured.system == system
        if !isSame {
            print(
                "guard: the baseline is for \(system), this is \(measured.system); comparing only allocations"
            )
        }
        Self.printLine("", "instructions", "baseline", "", "allocs", "baseline")
        var verdicts: [String] = []
        for row in measured.rows {
            let old = rows.first { $0.name == row.name }
            let change = old.map { Double(row.instructions) / Double(max($0.instructions, 1)) - 1 } ?? 0
            let verdict = verdict(on: row, old, isSame && row.instructions > 0 ? change : 0)
            verdicts.append(verdict)
            Self.printLine(
                row.name, "\(row.instructions)", "\(old?.instructions ?? 0)",
                String(format: "%+.1f%%", 100 * change), Number.text(row.allocations),
                old.map { Number.text($0.allocations) } ?? "", verdict)
        }
        let missing = rows.map(\.name).filter { name in !measured.rows.contains { $0.name == name } }
        for name in missing { print("\(name): no longer measured") }
        let isWithin = missing.isEmpty && !verdicts.contains { $0.hasPrefix("MORE") }
        if !isWithin {
            print(
                "\nA hot path exceeds Benchmarks/baseline.tsv. If that is intended, run Scripts/check guard --update",
                "and justify it in the commit.")
        }
        return isWithin
    }

    private func verdict(on row: Row, _ old: Row?, _ change: Double) -> String {
        guard let old else { return "new: Scripts/check guard --update" }
        if row.allocations > old.allocations * 1.02 + 0.01 { return "MORE ALLOCATIONS" }
        // Small counts are exact, for example the number of system calls.
        if row.instructions < 100, row.instructions > old.instructions, change > 0 { return "MORE" }
        if change > Self.tolerance { return "MORE INSTRUCTIONS" }
        return change < -Self.tolerance ? "better: Scripts/check guard --update" : ""
    }

    private static func printLine(_ name: String, _ columns: String...) {
        let widths = [12, 12, 8, 9, 9, 0]
        let cells = zip(columns, widths).map { text, width in
            String(repeating: " ", count: max(width - text.count, 0)) + text
        }
        let padding = String(repeating: " ", count: max(50 - name.count, 0))
        print(([name + padding] + cells).joined(separator: " "))
    }
}
