import Foundation
import TestSupport

/// Type-checks sources with the compiler that built these tests, and with the macros as programs use them.
enum Compiler {
    /// The compiler's messages about a source file.
    struct Verdict {
        var errors: [String] = []
        var notes: [String] = []
        /// The code that the macros expand to, with single spaces.
        var expanded = ""
    }

    /// Type-checks several sources in a single module.
    ///
    /// - Parameters:
    ///   - sources: The sources. Each has its own file and namespace, so that several may declare the same names.
    ///   - shared: Declarations that all sources may use.
    /// - Returns: A verdict for each source, and a verdict for diagnostics that belong to none of them.
    static func verdicts(on sources: [String], shared: String) throws -> (each: [Verdict], rest: Verdict) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "misuse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files = ["\(folder.path)/Shared.swift"]
        try (head + shared).write(toFile: files[0], atomically: true, encoding: .utf8)
        for (number, source) in sources.enumerated() {
            let file = "\(folder.path)/Case\(number)_.swift"
            let isNested = source.contains(/class|struct|actor/)
            let text = isNested ? "enum Case\(number)_ {\n\(source)\n}" : source
            try (head + text).write(toFile: file, atomically: true, encoding: .utf8)
            files.append(file)
        }
        return sorted(try output(for: files), count: sources.count)
    }

    private static let head = "import Foundation\nimport PrefsKitCompatibility\n"

    /// Returns the compiler's messages, sorted by the number in the name of a file or of an expansion's buffer.
    private static func sorted(_ output: String, count: Int) -> (each: [Verdict], rest: Verdict) {
        var each = Array(repeating: Verdict(), count: count)
        var rest = Verdict()
        var buffer: Substring = ""
        // Each expansion follows its buffer's name, between two lines of dashes. All other lines are diagnostics.
        let sections = output.split(separator: dashes, omittingEmptySubsequences: false)
        for (index, section) in sections.enumerated() {
            if index.isMultiple(of: 2) {
                for line in section.split(separator: "\n") {
                    buffer = line
                    guard
                        let match = line.firstMatch(
                            of: /: (error|note): (?!in expansion of)(.*?)( \(from macro '.*'\))?$/)
                    else { continue }
                    let property = match.1 == "error" ? \Verdict.errors : \Verdict.notes
                    if let number = number(in: line) {
                        each[number][keyPath: property].append(String(match.2))
                    } else {
                        rest[keyPath: property].append(String(line))
                    }
                }
            } else if let number = number(in: buffer) {
                each[number].expanded += section.replacing(/Case\d+_\./, with: "").words + " "
            }
        }
        return (each, rest)
    }

    private static let dashes = String(repeating: "-", count: 30) + "\n"

    private static func number(in line: Substring) -> Int? {
        line.firstMatch(of: /Case(\d+)_/).flatMap { Int($0.1) }
    }

    private static func output(for files: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-module-name", "Misuse"]
            + ["-diagnostic-style", "llvm", "-Xfrontend", "-dump-macro-expansions"]
            + BuildProducts.moduleArguments + BuildProducts.macroArguments + files
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The text with each run of white space replaced by one space.
    var words: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
