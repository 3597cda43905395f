import Foundation
import LayeredPrefs

/// `Bench [ROW …]` measures rows, by default all of them, and prints a table for each. `--list` lists them.
///
/// `--guard`, `--edits` and `--compare` are for Scripts/check guard, `--complexity` is for Scripts/check
/// complexity.
///
/// `--json FOLDER` also saves the results in the folder, one file per row. `--render FOLDER RESULTS` makes the
/// document and its plots from these files.
@main
enum Bench {
    static var rows: [Row] {
        var rows =
            TypedReads.rows + ThreadedReads.rows + Writes.rows + PolicySize.rows + Inspecting.rows
            + Latency.rows
            + Watching.rows
        rows += Structs.rows + Configurations.rows + Files.rows + Processes.rows + Upstream.rows
        #if Macros
            rows = PrefReads.rows + rows
        #endif
        return rows
    }

    static func main() throws {
        PrefsDiagnosticHandler.hush()
        var arguments = Array(CommandLine.arguments.dropFirst())
        var folder: String?
        if let index = arguments.firstIndex(of: "--json") {
            folder = arguments[index + 1]
            arguments.removeSubrange(index...(index + 1))
        }
        if arguments.first == "--hold" { return try Processes.hold(arguments[1], arguments[2]) }
        if arguments == ["--guard"] { return try Guard.run() }
        if arguments.first == "--edits" { return try Edits.run(Array(arguments.dropFirst())) }
        if arguments.first == "--complexity" { return try Complexity.run(Array(arguments.dropFirst())) }
        if arguments.first == "--compare" { return try compare(Array(arguments.dropFirst())) }
        if arguments.first == "--render" {
            return try Document(reading: arguments[1], order: rows.map(\.id), for: arguments[2])
                .write(to: arguments[2])
        }
        if arguments == ["--list"] { return rows.forEach { print($0.id) } }
        let chosen = rows.filter { row in
            arguments.isEmpty || arguments.contains { row.id == $0 || row.id.hasPrefix($0 + ".") }
        }
        guard !chosen.isEmpty else { fatalError("no row matches \(arguments); --list lists all rows") }
        for row in chosen {
            let result = try row.run()
            print(Terminal.text(of: result))
            if let folder {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                try encoder.encode(result).write(to: URL(filePath: "\(folder)/\(row.id).json"))
            }
        }
    }

    /// Compares the counts of Scripts/check guard with the baseline, or replaces the baseline.
    private static func compare(_ arguments: [String]) throws {
        let (path, system, folder) = (arguments[0], arguments[1], arguments[2])
        let measured = try Baseline(measuredIn: folder, on: system)
        guard arguments.last == "--update" else {
            exit(try Baseline(file: path).compare(measured) ? 0 : 1)
        }
        try measured.text.write(toFile: path, atomically: true, encoding: .utf8)
        print(measured.text, terminator: "")
    }
}
