import Foundation
import TestSupport

/// Type-checks sources with the compiler that built these tests, and with the macros as programs use them.
enum Compiler {
    /// The compiler's diagnostics for a source file.
    struct Verdict {
        var errors: [String] = []
        var notes: [String] = []
    }

    /// Type-checks several sources in a single module.
    ///
    /// - Parameters:
    ///   - sources: The sources. Each gets its own file and namespace, so that they may declare the same
    ///     names.
    ///   - shared: Declarations that all of them may use.
    /// - Returns: A verdict for each source, and one for diagnostics that belong to none of them.
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

    /// Returns the diagnostics grouped by the number in the name of their file or of an expansion's buffer.
    private static func sorted(_ output: String, count: Int) -> (each: [Verdict], rest: Verdict) {
        var each = Array(repeating: Verdict(), count: count)
        var rest = Verdict()
        for line in output.split(separator: "\n") {
            guard let match = line.firstMatch(of: /: (error|note): (.*?)( \(from macro '.*'\))?$/) else {
                continue
            }
            let number = line.firstMatch(of: /Case(\d+)_/).flatMap { Int($0.1) }
            let property = match.1 == "error" ? \Verdict.errors : \Verdict.notes
            if let number {
                each[number][keyPath: property].append(String(match.2))
            } else {
                rest[keyPath: property].append(String(line))
            }
        }
        return (each, rest)
    }

    private static func output(for files: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-module-name", "Misuse"]
            + ["-diagnostic-style", "llvm"] + BuildProducts.moduleArguments + BuildProducts.macroArguments
            + files
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
