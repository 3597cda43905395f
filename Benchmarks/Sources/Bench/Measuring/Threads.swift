import CMeasuring
import Foundation
import Synchronization

/// Measures the throughput of two threads relative to one thread.
enum Threads {
    /// Returns the rate of two threads divided by the rate of one thread, by wall-clock time. The maximum is 2.
    ///
    /// A sample is valid only if the kernel preempted neither thread: we want to know how much the threads wait
    /// for each other, not how busy the machine is. Returns `nil` if this sample is invalid.
    ///
    /// - Parameter work: Performs the given number of operations.
    static func gain(turns: Int, _ work: @escaping @Sendable (Int) -> Void) -> Double? {
        let before = bench_preemptions()
        let alone = wallTime { work(turns) }
        guard bench_preemptions() == before, let together = timeTogether(turns, work) else { return nil }
        return 2 * alone / together
    }

    /// Returns the time from the start of the first thread to the end of the last one; `nil` if they did not start
    /// simultaneously or were preempted.
    private static func timeTogether(_ turns: Int, _ work: @escaping @Sendable (Int) -> Void) -> Double? {
        let gate = StartingGate()
        let other = Thread { gate.run { work(turns) } }
        other.start()
        let mine = gate.run { work(turns) }
        let theirs = gate.lastFinish()
        guard let mine, let theirs else { return nil }
        let time = max(mine.end, theirs.end) - min(mine.start, theirs.start)
        return abs(mine.start - theirs.start) * 50 < time ? Double(time) : nil
    }

    /// Returns a number of operations that takes about half a millisecond. That is too short to be preempted, but
    /// long enough to start simultaneously.
    static func turns(of work: (Int) -> Void) -> Int {
        var turns = 256
        while processorTime({ work(turns) }) < 400_000 { turns *= 2 }
        return turns
    }
}

/// The time span of a thread's work, by the wall clock.
private struct Span {
    let start: Int64
    let end: Int64
}

/// A barrier that starts two threads at the same moment. Each thread spins until both have arrived.
private final class StartingGate: Sendable {
    private let arrived = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let spans = Mutex<[(thread: Int64, span: Span?)]>([])

    /// Runs the work and returns its time span; `nil` if the kernel preempted the thread meanwhile.
    @discardableResult
    func run(_ work: () -> Void) -> Span? {
        arrived.add(1, ordering: .acquiringAndReleasing)
        while arrived.load(ordering: .acquiring) < 2 {}
        let before = bench_preemptions()
        let start = bench_time()
        work()
        let end = bench_time()
        let span = bench_preemptions() == before ? Span(start: start, end: end) : nil
        spans.withLock { $0.append((bench_thread_id(), span)) }
        finished.add(1, ordering: .acquiringAndReleasing)
        return span
    }

    /// Waits until both threads have finished. Returns the other thread's time span.
    func lastFinish() -> Span? {
        while finished.load(ordering: .acquiring) < 2 {}
        let own = bench_thread_id()
        return spans.withLock { $0.first { $0.thread != own }?.span }
    }
}
