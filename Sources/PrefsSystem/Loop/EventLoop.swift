/// Waits for descriptors and timers, and does work. One loop serves the whole process, on threads of its own.
///
/// One thread at a time leads (the Leader/Followers pattern): it waits, and calls the handlers of the events. If
/// a handler returns work, the leading thread does the work itself, and then leads again. If that takes longer
/// than 20 ms, a parked thread takes the lead. So no work can block the loop, and quick work wakes no other
/// thread.
///
/// Handlers run on the leading thread, one at a time, with no mutex of the loop held. A handler must not block,
/// and must not run code of the program. Work may do both. As few threads as possible do the work, see
/// ``LoopThreads``: if a thread has worked for 20 ms while other work waits, another thread goes on. There are
/// never more than 64 threads. If a thread cannot be created, the loop goes on with the existing threads.
///
/// Threads start when there is something to do or to wait for, and end when there no longer is. All signals are
/// blocked in them.
package final class EventLoop: Sendable {
    package typealias Work = @Sendable () -> Void
    /// Handles an event without blocking. It returns work that may block, or `nil`.
    package typealias Handler = @Sendable () -> Work?

    /// The kinds of work. Work of one kind never waits for work of the other kind.
    package enum Kind: Sendable {
        /// The library's own work, such as reading a file.
        case own
        /// Code of the program, which may block for ever. Two threads always stay free of such work.
        case callback
    }

    /// A descriptor that the loop waits for.
    package struct Registration: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    /// A timer that has been set.
    package struct Timer: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    struct State {
        var threads: LoopThreads<Work>
        var sources: [LoopSource] = []
        var timers = TimerHeap<Handler>()
        /// The calls to make on the leading thread.
        var requests: [Request] = []
        var wakeup: Wakeup?
        /// The place where a thread is parked.
        var standby: Standby?
        /// The time that the timer of the parked thread is set to.
        var relief: Duration?
        /// The end of the leading thread's wait; `nil` if it does not wait.
        var waiting: Waiting?
        /// The start of the time without anything to do or to wait for.
        var idleSince: Duration?
        private var lastNumber: UInt64 = 0

        init(limit: Int) { threads = LoopThreads(limit: limit, patience: .milliseconds(20)) }

        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
    }

    struct Waiting {
        /// `nil` if the wait has no end.
        let until: Duration?
    }

    struct Request: Sendable {
        let body: Work
        let otherwise: Work
    }

    /// The loop of the process: every client needs the same few threads.
    package static let shared = EventLoop()

    let state: Lock<State>
    let time: any LoopTime
    let idleTimeout: Duration
    private let startThread: @Sendable (@escaping Work) -> Bool

    /// - Parameters:
    ///   - time: The clock of the timers.
    ///   - limit: The maximum number of threads.
    ///   - idleTimeout: How long threads stay when there is nothing to do or to wait for.
    ///   - startThread: Runs a closure on a new thread. Returns false if no thread can be created.
    package init(
        time: any LoopTime = SystemTime(), limit: Int = 64, idleTimeout: Duration = .milliseconds(100),
        startThread: @escaping @Sendable (@escaping Work) -> Bool = { body in
            BackgroundThread.start(named: "prefs-loop", body)
        }
    ) {
        self.time = time
        self.idleTimeout = idleTimeout
        self.startThread = startThread
        state = Lock(State(limit: limit))
    }

    /// Wakes the leading thread, or the parked one while the leading pauses. Call it after you have changed the
    /// time.
    package func wake() {
        state.withLock { state in
            state.wake()
            if state.relief != nil { state.standby?.setTimer(after: .zero) }
        }
    }

    /// The number of threads, including blocked ones.
    package var threadCount: Int { state.withLock { $0.threads.total } }

    /// Wakes and starts threads. Returns false if a thread could not be started.
    @discardableResult
    func summon(_ recruits: LoopThreads<Work>.Recruits) -> Bool {
        if recruits.waking > 0 {
            let standby = state.withLock { $0.standby }
            for _ in 0..<recruits.waking { standby?.wake() }
        }
        var isComplete = true
        for _ in 0..<recruits.starting where !startThread({ [self] in run() }) {
            isComplete = false
            for request in state.withLock({ $0.failToStart() }) { request.otherwise() }
        }
        return isComplete
    }
}

extension EventLoop {
    /// Lets a thread of the loop do some work.
    ///
    /// If the calling thread is doing the loop's own work, it does the new work itself, next, unless its current
    /// work takes long.
    package func post(_ kind: Kind = .own, _ work: @escaping Work) {
        let thread = BackgroundThread.current
        let recruits = state.withLock { state in
            state.idleSince = nil
            let recruits = state.threads.add(work, kind, on: thread)
            state.wakeIfLate()
            return recruits
        }
        summon(recruits)
    }

    /// True if the calling thread is doing the loop's own work.
    package var isDoingOwnWork: Bool {
        let thread = BackgroundThread.current
        return state.withLock { $0.threads.isDoing(.own, on: thread) }
    }

    /// Calls a handler whenever a descriptor has events, until you deregister the descriptor. Do that before you
    /// close it.
    ///
    /// - Parameter events: The events of `poll(2)`. The handler has to consume them, or it is called again.
    package func register(
        _ descriptor: Int32, for events: Int16, _ handler: @escaping Handler
    ) -> Registration {
        change { state in
            let number = state.nextNumber()
            state.sources.append(
                LoopSource(number: number, descriptor: descriptor, events: events, handler: handler))
            state.wake()
            return Registration(number: number)
        }
    }

    /// Stops waiting for a descriptor. Does not wait for a call of its handler that has begun.
    package func deregister(_ registration: Registration) {
        state.withLockReleasing { state in
            let removed = state.sources.filter { $0.number == registration.number }
            state.sources.removeAll { $0.number == registration.number }
            state.wake()
            return removed
        }
    }

    /// Calls a handler once, at a moment of ``now``.
    package func setTimer(at moment: Duration, _ handler: @escaping Handler) -> Timer {
        change { state in
            let number = state.nextNumber()
            state.timers.add(number, due: moment, handler)
            state.wakeIfLate()
            return Timer(number: number)
        }
    }

    /// Cancels a timer, unless it has gone off. Does not wait for a call of its handler that has begun.
    package func cancel(_ timer: Timer) {
        state.withLockReleasing { state in
            let handler = state.timers.cancel(timer.number)
            if state.timers.isEmpty, state.sources.isEmpty { state.wake() }
            return handler
        }
    }

    /// Calls `body` on the leading thread, soon. Calls `otherwise` if no thread can be created to lead.
    package func callOnLeadingThread(_ body: @escaping Work, otherwise: @escaping Work) {
        // The calling thread may be about to wait for the call.
        change(on: nil) { state in
            state.requests.append(Request(body: body, otherwise: otherwise))
            state.wake()
        }
    }

    /// Changes the descriptors, timers or requests of the loop, and makes sure that a thread leads.
    ///
    /// - Parameter thread: The calling thread. If it has interrupted the leading for its work, it leads again
    ///   soon, and no other thread has to. `nil` if the calling thread may wait for the leading thread.
    private func change<Result: Sendable>(
        on thread: UInt? = BackgroundThread.current, _ body: (inout State) -> Result
    ) -> Result {
        let (result, recruits) = state.withLock { state in
            state.idleSince = nil
            let result = body(&state)
            return (result, state.threads.summonLeader(on: thread))
        }
        summon(recruits)
        return result
    }
}

extension EventLoop: Scheduler {
    package var now: Duration { time.now }

    package func run(after delay: Duration, _ body: @escaping Work) {
        _ = setTimer(at: now + delay.clamped) { body }
    }
}

extension EventLoop.State {
    /// Ends the wait of the leading thread.
    mutating func wake() {
        if waiting != nil { wakeup?.signal() }
        waiting = nil
    }

    /// Ends the wait of the leading thread if it would be too long.
    mutating func wakeIfLate() {
        let check = threads.needsCheck ? threads.checkDue : nil
        guard let waiting, let due = earliest(timers.due, check) else { return }
        if waiting.until.map({ due < $0 }) ?? true { wake() }
    }

    /// Records that a thread could not be started. If no thread is going to lead, removes and returns the
    /// requests.
    mutating func failToStart() -> [EventLoop.Request] {
        threads.failToStart()
        // The leading thread does the work itself.
        wake()
        guard !threads.isLedSoon else { return [] }
        defer { requests = [] }
        return requests
    }
}
