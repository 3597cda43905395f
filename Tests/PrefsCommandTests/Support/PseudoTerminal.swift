import Foundation
import Synchronization

/// A program on a pseudo-terminal, whose output a separate thread reads.
final class PseudoTerminal: @unchecked Sendable {
    // Sendable: `condition` guards the mutable state.
    private let process = Process()
    private let master: CInt
    private let condition = NSCondition()
    private var received = Data()
    private var isOver = false

    struct Failure: Error { let reason: String }

    init(_ sandbox: Sandbox, _ arguments: [String]) throws {
        // The module Glibc lacks `posix_openpt` and `ptsname`, so ask the kernel: TIOCSPTLCK, TIOCGPTN.
        master = unsafe Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (CInt, CUnsignedInt) = (0, 0)
        guard master >= 0, unsafe ioctl(master, 0x4004_5431, &unlocked) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw Failure(reason: "no pseudo-terminal: \(errno)") }
        let slave = unsafe Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: Sandbox.tool)
        process.arguments = arguments
        process.environment = sandbox.environment
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        resize(width: 80, height: 24)
        try process.run()
        Thread.detachNewThread { [self] in read(keeping: handle) }
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(master)
    }

    /// Keeps the other side open, so that the terminal's settings can still be read when the program has ended.
    private func read(keeping handle: FileHandle) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            var poll = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe Glibc.poll(&poll, 1, 50) > 0
            // Evaluate this before the last look at the output.
            let hasEnded = !process.isRunning
            if isReady {
                let count = unsafe Glibc.read(master, &buffer, buffer.count)
                guard count > 0 else { break }
                condition.withLock {
                    received += buffer[..<count]
                    condition.broadcast()
                }
            } else if hasEnded {
                break
            }
        }
        condition.withLock {
            isOver = true
            condition.broadcast()
        }
        withExtendedLifetime(handle) {}
    }

    var output: String { condition.withLock { String(decoding: received, as: UTF8.self) } }

    /// Waits for a text in the output after a number of bytes.
    func wait(for text: String, after start: Int = 0) throws {
        let deadline = Date() + 90
        condition.lock()
        defer { condition.unlock() }
        while !String(decoding: received.dropFirst(start), as: UTF8.self).contains(text) {
            guard !isOver, condition.wait(until: deadline) else {
                throw Failure(
                    reason: "no \(text) in \(String(decoding: received, as: UTF8.self).debugDescription)")
            }
        }
    }

    func type(_ keys: String) { _ = unsafe Glibc.write(master, keys, keys.utf8.count) }

    func send(_ signal: CInt) { kill(process.processIdentifier, signal) }

    func resize(width: UInt16, height: UInt16) {
        var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
        // The program has no controlling terminal, so the kernel does not send the signal.
        if process.isRunning { send(SIGWINCH) }
    }

    var hasEcho: Bool {
        var settings = termios()
        return unsafe tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits for the program to end and for the end of its output. Returns the exit status.
    func end() -> CInt {
        process.waitUntilExit()
        condition.lock()
        while !isOver, condition.wait(until: Date() + 90) {}
        condition.unlock()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
