import Glibc
import PrefsSystem

/// The stacks that report their unknown keys when the program exits, if they have not done so before.
///
/// A stack waits for a second before it reports, and a program that loads its configuration once may have ended by
/// then. If it keeps the configuration in a global variable, nothing releases the configuration either.
///
/// The handler takes mutexes while other threads still run. The program's code is never called with a mutex held,
/// so the thread that ends the program holds none, and other threads release theirs. A child that was forked
/// without `exec` does not have these threads, so it reports nothing.
enum UnknownKeysAtExit {
    private struct Entry { weak var stack: PrefsStack? }

    private static let entries = Lock<[UInt64: Entry]>([:])

    private static let process: pid_t = {
        atexit { UnknownKeysAtExit.reportAll() }
        return getpid()
    }()

    static func add(_ stack: PrefsStack) {
        _ = process
        entries.withLock { $0[stack.number] = Entry(stack: stack) }
    }

    static func remove(_ stack: PrefsStack) { entries.withLock { $0[stack.number] = nil } }

    private static func reportAll() {
        guard getpid() == process else { return }
        let stacks = entries.withLock { $0.values.compactMap(\.stack) }
        for stack in stacks.sorted(by: { $0.number < $1.number }) { stack.reportPendingUnknownKeys() }
    }
}
