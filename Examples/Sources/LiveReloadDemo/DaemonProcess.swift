import Foundation
import Glibc

/// The daemon process; its output is printed line by line as it arrives.
final class DaemonProcess {
    private let process = Process()
    private let output = Pipe()
    private let sandbox: Sandbox

    init(in sandbox: Sandbox) throws {
        self.sandbox = sandbox
        let folder = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        process.executableURL = URL(fileURLWithPath: "\(folder)/LiveReloadDaemon")
        process.environment = ProcessInfo.processInfo.environment.merging([
            "MYD_ROOT": sandbox.root, "MYD_EDIT_CLOCK": sandbox.clockPath, "MYD_HTTP_WORKERS": "4",
        ]) { $1 }
        process.standardOutput = output
        process.standardError = output
        say("# MYD_HTTP_WORKERS=4 myd")
        try process.run()
        try output.fileHandleForWriting.close()
    }

    func signal(_ signal: CInt) { kill(process.processIdentifier, signal) }

    func waitForLine(containing text: String) {
        while let line = nextLine(within: 5000), !line.contains(text) {}
    }

    /// Prints lines until none has arrived for 400 ms.
    func waitForQuiet() {
        while nextLine(within: 400) != nil {}
    }

    func waitForExit() -> CInt {
        while nextLine(within: 5000) != nil {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    private var pending: [UInt8] = []

    private func nextLine(within milliseconds: CInt) -> String? {
        let descriptor = output.fileHandleForReading.fileDescriptor
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                say(line.replacingOccurrences(of: sandbox.root, with: ""))
                return line
            }
            var waiter = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiter, 1, milliseconds) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            pending += buffer.prefix(count)
        }
    }
}
