import Foundation

/// `FilesBenchmark [FOLDER]` compares within one run, and fails if a goal is missed. FOLDER lies on the disk
/// to write to; the current one by default.
@main
enum FilesBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "memory" {
            return try Memory.measure(arguments[2], arguments[3])
        }
        var report = Report()
        try Parsing.run(&report)
        try Memory.run(&report)
        try Writing.run(&report, in: arguments.count > 1 ? arguments[1] : ".")
        exit(report.isMet ? 0 : 1)
    }
}
