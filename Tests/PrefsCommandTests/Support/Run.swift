import Foundation

/// The result of a run of the tool.
struct Run: CustomStringConvertible {
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
    var description: String { "[\(status)]\n\(output)\n-- standard error --\n\(errors)" }

    /// The output as JSON.
    var json: Any? { try? JSONSerialization.jsonObject(with: Data(output.utf8)) }
    var object: [String: Any] { json as? [String: Any] ?? [:] }
    var objects: [[String: Any]] { json as? [[String: Any]] ?? [] }
}

extension Sandbox {
    /// Runs the tool and waits until it exits.
    func prefs(_ arguments: String..., environment extra: [String: String] = [:]) throws -> Run {
        try run(Self.tool, arguments, environment: extra)
    }

    /// Runs the tool on the sandbox's two layers.
    func layered(_ arguments: String..., environment extra: [String: String] = [:]) throws -> Run {
        try run(Self.tool, arguments.prefix(1) + layers + arguments.dropFirst(), environment: extra)
    }

    func run(_ program: String, _ arguments: [String], environment extra: [String: String] = [:]) throws
        -> Run
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment.merging(extra) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: root)
        // Files, because two pipes would have to be drained concurrently.
        let id = UUID().uuidString
        let (output, errors) = (try file("\(id).out"), try file("\(id).err"))
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Run(
            status: process.terminationReason == .exit
                ? process.terminationStatus : -process.terminationStatus,
            output: try text(of: "\(root)/\(id).out"), errors: try text(of: "\(root)/\(id).err"))
    }

    private func file(_ name: String) throws -> FileHandle {
        try write("", to: "\(root)/\(name)")
        return try FileHandle(forWritingTo: URL(fileURLWithPath: "\(root)/\(name)"))
    }
}
