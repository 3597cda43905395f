/// The observers whose turn it is to receive an event, and the threads that deliver to them.
///
/// One thread delivers at a time. If its callback is still running at the next check, it counts as blocked, and
/// others take over. Each time that all of them are blocked, four times as many take over, so that one
/// observer behind a hundred blocked ones does not wait for a hundred checks.
struct DeliveryTurns<Queue> {
    /// The action to take after a change.
    enum Effect: Sendable, Equatable {
        case nothing
        /// Starts some threads that call ``next()``, and wakes some that wait.
        case recruit(starting: Int, waking: Int)
        /// Calls ``check(_:)`` for the callbacks up to a number, after some time.
        case checkLater(callback: UInt64)
    }

    /// The next step of a thread that delivers.
    enum Step {
        case call(Turn, Effect)
        /// There is nothing to deliver. The thread waits until it is woken.
        case wait
        /// The thread is not needed any more.
        case leave
    }

    /// An observer's turn to receive one event.
    struct Turn {
        let queue: Queue
        /// True if the event is not a callback of the program, so that it cannot block.
        let neverBlocks: Bool
        /// The number of the callback; 0 before it begins.
        fileprivate(set) var number: UInt64 = 0
    }

    /// The greatest number of threads, blocked ones included.
    let limit: Int
    /// The observers that have events, in the order in which they are served.
    private var ready = Fifo<Turn>()
    /// The numbers of the callbacks in progress that are not known to be blocked.
    private var calling: [UInt64] = []
    private var blocked: Set<UInt64> = []
    /// The number of the latest callback.
    private var lastCallback: UInt64 = 0
    /// The threads that deliver and are not known to be blocked.
    private var active = 0
    private var waiting = 0
    /// The threads that take over from a blocked one.
    private var successors = 1
    private var isCheckScheduled = false
    /// True while only one thread delivers, which calls ``endTiming()`` if that lasts, so that no check is
    /// needed.
    private var isTimed = false

    init(limit: Int) { self.limit = limit }

    /// True if no observer waits for its turn.
    var isEmpty: Bool { ready.isEmpty }

    /// The number of threads, those that wait and the blocked ones included.
    var threads: Int { active + waiting + blocked.count }

    /// Adds an observer whose events are to be delivered.
    ///
    /// - Parameter hasThread: True if the caller delivers it, through ``lead()``.
    mutating func add(_ queue: Queue, neverBlocks: Bool = false, hasThread: Bool = false) -> Effect {
        ready.append(Turn(queue: queue, neverBlocks: neverBlocks))
        if active > 0 { return scheduleCheck() }
        return hasThread ? .nothing : recruit(1)
    }

    /// Makes the calling thread deliver what is ready; `leads` is false if there is nothing, or if others do.
    /// A thread that leads takes the time itself; see ``endTiming()``.
    mutating func lead() -> (leads: Bool, Effect) {
        guard !ready.isEmpty, active == 0, threads < limit else { return (false, scheduleCheck()) }
        active = 1
        isTimed = true
        return (true, .nothing)
    }

    /// Returns the next step of a thread that delivers.
    ///
    /// - Parameter isGuest: True if the thread only leads and never waits.
    mutating func next(isGuest: Bool = false) -> Step {
        guard var turn = ready.popFirst() else {
            active -= 1
            successors = 1
            if isGuest { isTimed = false }
            if isGuest || waiting > 0 { return .leave }
            waiting += 1
            return .wait
        }
        if turn.neverBlocks { return .call(turn, .nothing) }
        lastCallback += 1
        turn.number = lastCallback
        calling.append(lastCallback)
        return .call(turn, scheduleCheck())
    }

    /// Ends a callback; returns false if the thread is no longer needed, because others took over.
    ///
    /// - Parameter again: True if the observer has more events.
    mutating func finish(_ turn: Turn, again: Bool) -> (stays: Bool, Effect) {
        if again { ready.append(Turn(queue: turn.queue, neverBlocks: turn.neverBlocks)) }
        if turn.neverBlocks { return (true, .nothing) }
        // As few as there are threads.
        if let index = calling.firstIndex(of: turn.number) {
            calling.remove(at: index)
            return (true, .nothing)
        }
        blocked.remove(turn.number)
        if active == 0 {
            active = 1
            return (true, .nothing)
        }
        return (false, scheduleCheck())
    }

    /// Takes the threads out of turn that are still in a callback up to a number, if observers wait behind them.
    mutating func check(_ last: UInt64) -> Effect {
        isCheckScheduled = false
        guard !ready.isEmpty else { return .nothing }
        let late = calling.filter { $0 <= last }
        calling.removeAll { $0 <= last }
        blocked.formUnion(late)
        active -= late.count
        if active > 0 { return scheduleCheck() }
        let count = successors
        successors = min(successors * 4, limit)
        return recruit(min(count, ready.count))
    }

    /// Checks the callback of the thread that leads, which has lasted.
    mutating func endTiming() -> Effect {
        guard isTimed else { return .nothing }
        isTimed = false
        return check(lastCallback)
    }

    /// Adds threads; none if there are too many, in which case the first that is no longer blocked goes on.
    private mutating func recruit(_ count: Int) -> Effect {
        let woken = min(count, waiting)
        waiting -= woken
        let started = max(0, min(count - woken, limit - threads - woken))
        active += woken + started
        return woken + started > 0 ? .recruit(starting: started, waking: woken) : .nothing
    }

    /// Schedules a check of the callbacks in progress, if observers wait behind them and none is scheduled.
    private mutating func scheduleCheck() -> Effect {
        guard !calling.isEmpty, !ready.isEmpty, !isCheckScheduled, !isTimed else { return .nothing }
        isCheckScheduled = true
        // Threads that have just been recruited begin their callbacks at about the same time.
        return .checkLater(callback: lastCallback + UInt64(active - calling.count))
    }
}

extension DeliveryTurns.Turn: Sendable where Queue: Sendable {}

extension DeliveryTurns.Step: Sendable where Queue: Sendable {}
