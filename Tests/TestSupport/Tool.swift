import Foundation
import Testing

/// A program that a test runs: a program of the system, if it is installed, or a built one.
package struct Tool {
    package let path: String

    package init(path: String) { self.path = path }

    package static let python = find("python3")
    package static let plistutil = find("plistutil")
    package static let strace = find("strace")

    /// True if this process may trace another process; some containers forbid it.
    package static let mayTrace = (try? strace?.run(["-o", "/dev/null", "/bin/true"]).status) == 0

    package static func find(_ name: String) -> Tool? {
        let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { Tool(path: $0) }
    }

    package struct Outcome {
        package var status: Int32
        package var output: String
    }

    /// Runs the program to completion. Returns its output and errors combined.
    @discardableResult
    package func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }
}
