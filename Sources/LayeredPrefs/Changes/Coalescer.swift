import PrefsSystem

/// Runs an action for calls that may follow each other closely, as ``PrefsCoalescing`` describes.
///
/// The action runs on the caller's thread if it runs at once, else on a thread of the scheduler. A call after
/// which the action finds that nothing changed is taken back, so that it does not delay a call that follows.
final class Coalescer: Sendable {
    private let timing: Lock<CoalescerTiming>
    private let scheduler: any Scheduler
    private let action: @Sendable () -> Bool

    /// - Parameter action: Returns false if it found that nothing changed.
    init(_ coalescing: PrefsCoalescing, scheduler: any Scheduler, _ action: @escaping @Sendable () -> Bool) {
        timing = Lock(CoalescerTiming(coalescing))
        self.scheduler = scheduler
        self.action = action
    }

    /// Runs the action now or schedules it.
    func call() {
        let now = scheduler.now
        perform(timing.withLock { $0.call(at: now) }) { [self] in timing.withLock { $0.takeBack(callAt: now) }
        }
    }

    private func wake() { perform(timing.withLock { $0.wake(at: scheduler.now) }) {} }

    private func perform(_ effect: CoalescerTiming.Effect, whenUnchanged: () -> Void) {
        switch effect {
        case .nothing: break
        case .run: if !action() { whenUnchanged() }
        case .wakeAfter(let delay): scheduler.run(after: delay) { [weak self] in self?.wake() }
        }
    }
}

/// The decision of a coalescer at each call, and at each wake-up it asked for.
struct CoalescerTiming: Sendable {
    /// The action to take.
    enum Effect: Sendable, Equatable {
        case nothing
        case run
        case wakeAfter(Duration)
    }

    private let coalescing: PrefsCoalescing
    private var lastCall: Duration?
    private var callBefore: Duration?
    /// The latest time at which the coalesced calls run; `nil` if there are none.
    private var limit: Duration?

    init(_ coalescing: PrefsCoalescing) { self.coalescing = coalescing }

    mutating func call(at now: Duration) -> Effect {
        defer { (lastCall, callBefore) = (now, lastCall) }
        if limit != nil { return .nothing }
        let isFirst = lastCall.map { now >= $0 + coalescing.window } ?? true
        if isFirst, coalescing.edge == .leading { return .run }
        // At most five windows, so that an endless burst still has runs.
        limit = now + coalescing.window * 5
        return .wakeAfter(coalescing.window)
    }

    /// Takes back a call after which nothing had changed, unless another one has followed.
    mutating func takeBack(callAt time: Duration) {
        if limit == nil, lastCall == time { lastCall = callBefore }
    }

    mutating func wake(at now: Duration) -> Effect {
        let quiet = (lastCall ?? now) + coalescing.window
        if let limit, now < quiet, now < limit { return .wakeAfter(min(quiet, limit) - now) }
        limit = nil
        return .run
    }
}
