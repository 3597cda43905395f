import Foundation

/// Type-checks sources against the modules that this package built.
struct Compiler {
    /// - Returns: For each file that has errors its errors; empty when all compile.
    static func errors(in sources: [String: String]) throws -> [String: [String]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in sources {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let (output, succeeded) = try run(
            ["-typecheck", "-swift-version", "6"] + modules + sources.keys.map { "\(folder.path)/\($0)" })
        let errors = errors(of: output, in: folder)
        return errors.isEmpty && !succeeded ? ["?": [output]] : errors
    }

    private static func errors(of output: String, in folder: URL) -> [String: [String]] {
        var errors: [String: [String]] = [:]
        for line in output.split(separator: "\n") where line.contains(": error: ") {
            let file =
                line.hasPrefix(folder.path) ? line.dropFirst(folder.path.count + 1).prefix { $0 != ":" } : "?"
            errors[String(file), default: []].append(String(line))
        }
        return errors
    }

    /// Where the test bundle lies, the modules lie too.
    private static var modules: [String] {
        let products =
            Bundle.main.bundleURL.path.hasSuffix(".xctest")
            ? Bundle.main.bundleURL.deletingLastPathComponent() : Bundle(for: Marker.self).bundleURL
        let maps = (try? FileManager.default.subpathsOfDirectory(atPath: products.path)) ?? []
        let mapFlags = maps.filter { $0.hasSuffix("CFileWatching.build/module.modulemap") }
            .flatMap { ["-Xcc", "-fmodule-map-file=\(products.path)/\($0)"] }
        return ["-I", "\(products.path)/Modules"] + mapFlags
    }

    private final class Marker {}

    private static func run(_ arguments: [String]) throws -> (output: String, succeeded: Bool) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-diagnostic-style", "llvm"] + arguments
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus == 0)
    }
}
