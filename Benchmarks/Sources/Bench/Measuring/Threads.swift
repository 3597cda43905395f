import CMeasuring
import Foundation
import Synchronization

/// How much more two threads get done than one.
enum Threads {
    /// The rate of two threads over the rate of one, by the wall's clock; 2 is all there is.
    ///
    /// Only samples in which the kernel took the processor from neither thread count, for what else runs on the
    /// machine is not what is asked about; waiting for each other is. `nil` if this one does not.
    ///
    /// - Parameter work: Does so many operations.
    static func gain(turns: Int, _ work: @escaping @Sendable (Int) -> Void) -> Double? {
        let before = bench_preemptions()
        let alone = wallTime { work(turns) }
        guard bench_preemptions() == before, let together = timeTogether(turns, work) else { return nil }
        return 2 * alone / together
    }

    /// From when the first thread starts until the later one is through; both must start as one.
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

    /// Half a millisecond: short enough to be left alone, long enough to start together.
    static func turns(of work: (Int) -> Void) -> Int {
        var turns = 256
        while processorTime({ work(turns) }) < 400_000 { turns *= 2 }
        return turns
    }
}

/// When a thread worked, by the wall's clock.
private struct Span {
    let start: Int64
    let end: Int64
}

/// Lets two threads off at the same moment: both spin until both are there.
private final class StartingGate: Sendable {
    private let arrived = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let spans = Mutex<[(thread: Int64, span: Span?)]>([])

    /// When the work ran; `nil` if the kernel took the processor away meanwhile.
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

    /// What the other thread did, once it is through.
    func lastFinish() -> Span? {
        while finished.load(ordering: .acquiring) < 2 {}
        let own = bench_thread_id()
        return spans.withLock { $0.first { $0.thread != own }?.span }
    }
}
