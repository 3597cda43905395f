import FileWatching
import Foundation
import PrefsSystem
import Testing

/// Fills the kernel's queue while the thread that leads the loop is blocked, and then changes files whose
/// events are lost. No program blocks that thread, but an overloaded machine may.
struct QueueOverflow {
    private let sandbox: Sandbox
    private let recorders: [(path: String, recorder: Recorder)]

    init() throws {
        let sandbox = try Sandbox()
        self.sandbox = sandbox
        recorders = ["f", "g", "d/missing"].map { (sandbox($0), Recorder()) }
    }

    func happens(on engine: FileWatcherEngine) throws {
        let watcher = FileWatcher(engine: engine, safetyPoll: nil)
        let watches = recorders.map { path, recorder in watcher.watch(path) { recorder.record($0) } }
        let (entered, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocker = watcher.watch(sandbox("blocker")) { _ in }
        try sandbox.replace("blocker", by: "now")
        EventLoop.shared.callOnLeadingThread {
            entered.signal()
            mayLeave.wait()
        } otherwise: {
            entered.signal()
        }
        entered.wait()
        // Causes two events without a name. They make 16,384 events end before the library's buffer does, so
        // the overflow event is read together with the last of them.
        try #require(Shell.run("printf now >> blocker", in: sandbox.path) == 0)
        fillQueue()
        try sandbox.replace("f", by: "new")
        try #require(Shell.run("printf new > g; mkdir d; printf new > d/missing", in: sandbox.path) == 0)
        mayLeave.signal()
        blocker.cancel()
        for (path, recorder) in recorders {
            try #require(recorder.hasCaughtUp(with: path, after: 0))
            // A scenario of another suite may mount a file system meanwhile; then the mount is the latest cause.
            try #require(recorder.records.contains { [.overflow, .mount].contains($0.event.source) })
        }
        watches.forEach { $0.cancel() }
    }

    /// Overflows the queue. Each file causes two events. No two consecutive events are equal, because the
    /// kernel would merge them.
    private func fillQueue() {
        let limit =
            (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8))
            .flatMap { Int($0.trimmingCharacters(in: .newlines)) } ?? 16_384
        for number in 0...(limit / 2) {
            let path = sandbox("noise\(number % 2)")
            close(unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            unsafe unlink(path)
        }
    }
}
