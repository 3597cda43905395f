import Glibc
import PrefsSystem
import Testing
import TestSupport

@testable import LayeredPrefs
@testable import PrefsSystem

/// Runs threads one at a time, from one step to the next, in an order that a test decides.
///
/// A thread stops at each ``step(_:)``. The stepper lets one thread go on when all threads have stopped, have
/// ended, or wait for a stopped one.
final class Stepper: Sendable {
    private struct Stopped {
        let name: String
        let goesOn: Latch
        let isOwn: Bool
    }

    private struct State {
        var own: Set<UInt> = []
        /// The threads of the test that have neither stopped nor ended.
        var running = 0
        var stopped: [Stopped] = []
        var isOver = false
    }

    private let state = Lock(State())
    private let time = VirtualTime()
    let loop: EventLoop

    init() { loop = EventLoop(time: time) }

    /// Starts a thread that stops before it begins.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.running += 1 }
        TestThread.start { [self] in
            state.withLock { _ = $0.own.insert(BackgroundThread.current) }
            step(name)
            body()
            state.withLock { state in
                state.own.remove(BackgroundThread.current)
                state.running -= 1
            }
        }
    }

    /// Stops the calling thread, a thread of the test or of the loop, until its turn comes.
    func step(_ name: String) {
        let goesOn = Latch()
        let stops = state.withLock { state in
            if state.isOver { return false }
            let isOwn = state.own.contains(BackgroundThread.current)
            state.stopped.append(Stopped(name: name, goesOn: goesOn, isOwn: isOwn))
            if isOwn { state.running -= 1 }
            return true
        }
        if stops { goesOn.wait() }
    }

    /// Lets the threads go on until all have ended.
    ///
    /// - Parameters:
    ///   - schedule: The thread to let go on at each step, as an index into the stopped threads, sorted by
    ///     name. After the last step of the schedule, the first thread goes on.
    ///   - waitingCount: Returns the number of threads that wait for a stopped one.
    /// - Returns: The choice at each step, and the number of threads to choose from; `nil` if the threads
    ///   wait for each other.
    func run(_ schedule: [Int], waitingCount: () -> Int) -> [(chosen: Int, count: Int)]? {
        var trail: [(chosen: Int, count: Int)] = []
        defer { end() }
        while true {
            guard eventually({ (0..<3).allSatisfy { _ in isStill(waitingCount()) } }) else { return nil }
            let count = state.withLock { $0.stopped.count }
            if count == 0 { return waitingCount() == 0 ? trail : nil }
            let chosen = min(trail.count < schedule.count ? schedule[trail.count] : 0, count - 1)
            trail.append((chosen, count))
            letGoOn(chosen)
        }
    }

    /// Returns true if every thread has stopped or is among the waiting ones.
    private func isStill(_ waitingCount: Int) -> Bool {
        sched_yield()
        let (busy, isSummoned) = loop.state.withLock { ($0.threads.busyCount, $0.threads.summoned > 0) }
        return state.withLock { state in
            let others = state.stopped.count { !$0.isOwn }
            return !isSummoned && state.running + busy - others == waitingCount
        }
    }

    private func letGoOn(_ chosen: Int) {
        state.withLock { state in
            state.stopped.sort { $0.name < $1.name }
            let thread = state.stopped.remove(at: chosen)
            if thread.isOwn { state.running += 1 }
            return thread.goesOn
        }.open()
    }

    private func end() {
        let stopped = state.withLock { state in
            state.isOver = true
            defer { state.stopped = [] }
            return state.stopped
        }
        for thread in stopped { thread.goesOn.open() }
        time.advance(to: .seconds(5), in: loop)
    }
}

/// A mutex of the program, which a stopped thread may hold.
final class SteppedMutex: Sendable {
    private struct State {
        var isHeld = false
        var waiting: [Latch] = []
    }

    private let state = Lock(State())

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func withLock<Result>(_ body: () -> Result) -> Result {
        let isFree = Latch()
        let waits = state.withLock { state in
            if state.isHeld { state.waiting.append(isFree) }
            defer { state.isHeld = true }
            return state.isHeld
        }
        if waits { isFree.wait() }
        defer {
            state.withLock { state in
                if state.waiting.isEmpty { state.isHeld = false } else { state.waiting.removeFirst().open() }
            }
        }
        return body()
    }
}

/// Every order of the steps of a test's threads.
enum Schedules {
    /// Calls `run` with one schedule after the other until all have run. Returns their number.
    ///
    /// - Parameter run: Runs a schedule, and returns the result of ``Stepper/run(_:waitingCount:)``.
    static func forEach(_ run: ([Int]) throws -> [(chosen: Int, count: Int)]?) rethrows -> Int {
        var (schedule, count) = ([Int](), 0)
        while true {
            count += 1
            guard var trail = try run(schedule) else { return count }
            while let last = trail.last, last.chosen + 1 >= last.count { trail.removeLast() }
            if trail.isEmpty { return count }
            schedule = trail.map(\.chosen)
            schedule[schedule.count - 1] += 1
        }
    }
}
