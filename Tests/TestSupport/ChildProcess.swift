import Foundation

/// Runs this test program again to do one job in a separate process.
///
/// The job is a hidden test that only a child process runs. Its arguments are passed in the environment:
///
/// ```swift
/// @Suite(.enabled(if: ChildProcess.job != nil, "only for child processes"))
/// struct ChildJobs {
///     @Test func `perform the job`() throws { try perform(ChildProcess.job ?? []) }
/// }
///
/// let child = try ChildProcess("ChildJobs", ["count", path])
/// #expect(child.wait().isSuccess)
/// ```
package struct ChildProcess {
    private let process = Process()
    private let output = Pipe()

    private static let variable = "LAYEREDPREFS_TEST_JOB"

    /// The arguments of this process's job; `nil` in the main process.
    package static var job: [String]? {
        ProcessInfo.processInfo.environment[variable].map { $0.split(separator: "\n").map(String.init) }
    }

    /// Starts a job.
    ///
    /// - Parameters:
    ///   - suite: The name of the hidden suite.
    ///   - arguments: The arguments of the job, without line feeds.
    ///   - wrapper: A command that runs the child, such as `strace -o FILE`.
    package init(_ suite: String, _ arguments: [String], wrapper: [String] = []) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let command = wrapper + [program, "--testing-library", "swift-testing", "--filter", suite]
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment
            .merging([Self.variable: arguments.joined(separator: "\n"), "SWIFT_BACKTRACE": "enable=no"]) {
                $1
            }
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the child process to exit. Returns whether the job succeeded, and its output.
    @discardableResult
    package func wait() -> (isSuccess: Bool, output: String) {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationReason == .exit && process.terminationStatus == 0,
            String(decoding: data, as: UTF8.self)
        )
    }
}
