import Foundation
import Glibc
import LayeredPrefs
import PrefsSystem
import Testing

extension PrefsDiagnosticHandler {
    /// A handler that discards diagnostics.
    static var silent: PrefsDiagnosticHandler { PrefsDiagnosticHandler { _ in } }
}

/// A weak reference that is set after the closure that captures it was created.
final class Weak<Object: AnyObject & Sendable>: Sendable {
    private struct Reference {
        weak let object: Object?
    }

    private let reference = Lock(Reference(object: nil))

    var value: Object? {
        get { reference.withLock { $0.object } }
        set { reference.withLock { $0 = Reference(object: newValue) } }
    }
}

/// Dedicated threads, regardless of the number of processors.
enum TestThread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        #expect(BackgroundThread.start(named: "test", body))
    }
}

/// A point where threads wait for each other.
final class Meeting: Sendable {
    private let expected: Int
    private let arrived = Lock(0)

    init(of expected: Int) { self.expected = expected }

    /// Waits until the expected number of threads has arrived. Returns false to threads that come later.
    func arrive() -> Bool {
        let number = arrived.withLock { count in
            count += 1
            return count
        }
        if number > expected { return false }
        let deadline = ContinuousClock.now + .seconds(10)
        while arrived.withLock({ $0 }) < expected, .now < deadline { sched_yield() }
        return true
    }
}

/// Holds the file lock of a preferences file, as another process does.
final class FileLockHolder: Sendable {
    private let descriptor: CInt
    private let inode: UInt64

    /// Acquires the lock of the file at `path`, whose folder exists.
    init(_ path: String) throws {
        let url = URL(filePath: path)
        let lock = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).lock"
        descriptor = unsafe open(lock, O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        var status = stat()
        _ = unsafe fstat(descriptor, &status)
        inode = UInt64(status.st_ino)
    }

    deinit { close(descriptor) }

    func release() { flock(descriptor, LOCK_UN) }

    /// Waits until the given number of writers blocks in the kernel for the lock.
    func waitForWaiters(_ count: Int) throws {
        // As long as the whole suite may take: on a busy machine, a thread may not run for seconds.
        let deadline = ContinuousClock.now + .seconds(600)
        while try waiters() < count {
            try #require(.now < deadline, "expected \(count) writers to wait for the file lock")
            usleep(1000)
        }
    }

    private func waiters() throws -> Int {
        try lines(of: "/proc/locks").filter {
            $0.contains("-> FLOCK") && $0.contains(":\(inode) ")
        }.count
    }

    /// Returns the lines of a file whose size the kernel does not report.
    private func lines(of path: String) throws -> [Substring] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
