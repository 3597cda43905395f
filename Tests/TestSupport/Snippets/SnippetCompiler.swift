import Foundation

/// Compiles sources against the modules that this package has built.
package struct SnippetCompiler {
    /// A folder for one compilation, which ``using(_:)`` creates and removes.
    private let folder: URL

    /// Type-checks sources.
    ///
    /// - Returns: The errors by file; empty if all files compile.
    package static func errors(in sources: [String: String]) throws -> [String: [String]] {
        try using { compiler in
            try compiler.compile(
                sources, flags: ["-typecheck", "-swift-version", "6"] + BuildProducts.moduleArguments)
        }
    }

    /// Compiles a program and runs it in a folder that is also its home.
    ///
    /// - Parameters:
    ///   - sources: The texts of the sources by file name.
    ///   - files: The paths of additional sources.
    ///   - inputs: The texts of the files that the program finds in the folder, by name.
    /// - Returns: The errors by file, and the program's output.
    package static func run(
        _ sources: [String: String], with files: [String], finding inputs: [String: String] = [:]
    ) throws -> (errors: [String: [String]], output: String) {
        try using { compiler in
            let program = compiler.folder.appendingPathComponent("program")
            let flags =
                ["-swift-version", "6", "-Onone", "-parse-as-library", "-module-name", "Program"] + sanitizer
            let errors = try compiler.compile(
                sources,
                flags: flags + BuildProducts.moduleArguments + BuildProducts.macroArguments + objects + files
                    + ["-o", program.path])
            guard errors.isEmpty else { return (errors, "") }
            try compiler.write(inputs)
            return ([:], try compiler.launch(program, []).output)
        }
    }

    private static func using<Result>(_ body: (SnippetCompiler) throws -> Result) throws -> Result {
        let compiler = SnippetCompiler(
            folder: FileManager.default.temporaryDirectory.appendingPathComponent(
                "snippets-\(UUID().uuidString)"))
        try FileManager.default.createDirectory(at: compiler.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: compiler.folder) }
        return try body(compiler)
    }

    private func compile(_ sources: [String: String], flags: [String]) throws -> [String: [String]] {
        try write(sources)
        let (output, succeeded) = try launch(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["swiftc", "-diagnostic-style", "llvm"] + flags
                + sources.keys.sorted().map { "\(folder.path)/\($0)" })
        let errors = errors(of: output)
        return errors.isEmpty && !succeeded ? ["?": [output]] : errors
    }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    private func errors(of output: String) -> [String: [String]] {
        var errors: [String: [String]] = [:]
        for line in output.split(separator: "\n") where line.contains(": error: ") {
            let file =
                line.hasPrefix(folder.path) ? line.dropFirst(folder.path.count + 1).prefix { $0 != ":" } : "?"
            errors[String(file), default: []].append(String(line))
        }
        return errors
    }

    private func launch(_ program: URL, _ arguments: [String]) throws -> (output: String, succeeded: Bool) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path]) { $1 }
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus == 0)
    }
}

/// The object files of a program.
extension SnippetCompiler {
    /// The targets whose object files a program needs.
    private static let linkedTargets: Set = [
        "CPrefsSystem", "CYaml", "FileWatching", "LayeredPrefs", "LayeredPrefsCompression",
        "LayeredPrefsReference", "LayeredPrefsUserDefaults", "PrefsDocuments", "PrefsFiles",
        "PrefsKitCompatibility", "PrefsSystem",
    ]

    /// The option for the sanitizer that the object files were compiled with.
    private static var sanitizer: [String] {
        #if TSAN
            ["-sanitize=thread"]
        #else
            []
        #endif
    }

    /// The object files of these targets that this test bundle was linked from.
    private static var objects: [String] {
        // If a test target depends on a macro, the bundle is a product for the host.
        let lists = ["LayeredPrefsPackageTests-tool", "LayeredPrefsPackageTests"].map {
            BuildProducts.folder.appendingPathComponent("\($0).product/Objects.LinkFileList")
        }
        let text = lists.lazy.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.first ?? ""
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: ["'", "\""]) }.filter { path in
            linkedTargets.contains { path.contains("/\($0).build/") || path.contains("/\($0)-tool.build/") }
        }
    }
}
