import Foundation

/// A running `prefs watch`. Tests wait for its lines.
final class WatchRun: @unchecked Sendable {
    // Sendable: `lines`, `received`, `next` and `isOver` are accessed only while `condition` is locked.
    private let process = Process()
    private let condition = NSCondition()
    private var lines: [[String: Any]] = []
    private var received = ""
    private var next = 0
    private var isOver = false

    /// Starts the watch with `--json`, or as text that includes standard error.
    convenience init(
        _ sandbox: Sandbox, _ arguments: [String], asText isText: Bool = false,
        environment: [String: String] = [:]
    ) throws {
        let arguments = ["watch"] + (isText ? [] : ["--json"]) + arguments
        try self.init(sandbox, running: Sandbox.tool, arguments, environment, includesErrors: isText)
    }

    /// Starts another program.
    init(
        _ sandbox: Sandbox, running program: String, _ arguments: [String], _ environment: [String: String],
        includesErrors: Bool = false
    ) throws {
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = sandbox.environment.merging(environment) { $1 }
        process.standardOutput = pipe
        if includesErrors { process.standardError = pipe }
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in read(handle) }
    }

    deinit { if process.isRunning { process.terminate() } }

    private func read(_ handle: FileHandle) {
        var rest = Data()
        while true {
            let chunk = handle.availableData
            if chunk.isEmpty { break }
            rest.append(chunk)
            while let end = rest.firstIndex(of: 10) {
                let line = Data(rest[rest.startIndex..<end])
                rest = Data(rest[rest.index(after: end)...])
                let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
                condition.lock()
                received += String(decoding: line, as: UTF8.self) + "\n"
                lines.append(object ?? ["unparsable": String(decoding: line, as: UTF8.self)])
                condition.broadcast()
                condition.unlock()
            }
        }
        condition.lock()
        isOver = true
        condition.broadcast()
        condition.unlock()
    }

    /// Everything printed so far.
    var output: String {
        condition.lock()
        defer { condition.unlock() }
        return received
    }

    /// Waits for a line that contains a text.
    func wait(for text: String) throws {
        while try "\(line(text))".contains(text) == false {}
    }

    /// Waits for the next line, up to a deadline that only a hung program misses.
    func line(_ what: String = "a line") throws -> [String: Any] {
        let deadline = Date() + 30
        condition.lock()
        defer { condition.unlock() }
        while next == lines.count {
            guard !isOver, condition.wait(until: deadline) else { throw Missed(what: what, seen: "\(lines)") }
        }
        next += 1
        return lines[next - 1]
    }

    /// Waits for the next line that is a change, and skips diagnostics.
    func change() throws -> [String: Any] {
        while true {
            let line = try line("a change")
            if line["key"] != nil { return line }
        }
    }

    func waitUntilReady() throws { while try line("ready")["ready"] as? Bool != true {} }

    /// Sends a signal and returns the exit status, or the negative number of the signal that ended the
    /// process.
    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    struct Missed: Error { let what, seen: String }
}
