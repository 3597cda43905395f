import Dispatch
import FileWatching
import PrefsSystem

/// The threads that call the observers of stacks.
///
/// An observer's events wait in its ``ObserverQueue``, in order. Usually one thread delivers them all. If a
/// callback blocks for longer than `patience` while other observers' events wait, other threads go on in its
/// place, so that a slow observer delays only its own later events. An observer's events are still delivered
/// by only one thread at a time.
///
/// A thread that has just committed an edit, such as the file watcher's, can deliver what it posted itself,
/// which saves waking another one; see ``lead(_:)``.
final class DeliveryQueue: Sendable {
    /// The queue of all stacks that are given no other: one thread serves them all.
    static let shared = DeliveryQueue(
        // Not a global queue, whose threads the program may block.
        scheduler: DispatchScheduler(queue: DispatchQueue(label: "prefs-patience")))

    private struct State {
        var turns: DeliveryTurns<ObserverQueue>
        /// The threads that will deliver what they add.
        var leaders: [UInt] = []
    }

    private let state: Lock<State>
    private let wake = DispatchSemaphore(value: 0)
    private let scheduler: any Scheduler
    private let patience = Duration.milliseconds(20)

    /// - Parameter limit: The greatest number of threads. If as many observers are blocked, all others wait
    ///   until one of them returns.
    init(scheduler: any Scheduler, limit: Int = 128) {
        self.scheduler = scheduler
        state = Lock(State(turns: DeliveryTurns(limit: limit)))
    }

    /// The number of threads, blocked ones included.
    var threads: Int { state.withLock { $0.turns.threads } }

    /// Delivers the events of an observer, on a delivery thread or on the calling one when it leads.
    func schedule(_ queue: ObserverQueue) {
        let effect = state.withLock { state in
            let leads = !state.leaders.isEmpty && state.leaders.contains(BackgroundThread.current)
            return state.turns.add(queue, neverBlocks: queue.neverBlocks, hasThread: leads)
        }
        perform(effect)
    }

    private func perform(_ effect: DeliveryTurns<ObserverQueue>.Effect) {
        switch effect {
        case .nothing: break
        case .recruit(let starting, let waking):
            for _ in 0..<waking { wake.signal() }
            for _ in 0..<starting { startWorker() }
        case .checkLater(let callback):
            scheduler.run(after: patience) { [self] in
                perform(state.withLock { $0.turns.check(callback) })
            }
        }
    }

    private func startWorker() {
        let work: @Sendable () -> Void = { [self] in
            while deliver(isGuest: false) { wake.wait() }
        }
        // If the system cannot create a thread, use one of the global queue's.
        if !BackgroundThread.start(named: "prefs-delivery", work) {
            DispatchQueue.global().async(execute: work)
        }
    }

    /// Delivers in turn until nothing is ready; returns true if the thread is to wait for more.
    private func deliver(isGuest: Bool) -> Bool {
        while true {
            switch state.withLock({ $0.turns.next(isGuest: isGuest) }) {
            case .wait: return true
            case .leave: return false
            case .call(let turn, let effect):
                perform(effect)
                turn.queue.deliverNext()
                let again = turn.queue.endDelivery()
                let (stays, effect) = state.withLock { $0.turns.finish(turn, again: again) }
                perform(effect)
                if !stays { return false }
            }
        }
    }
}

extension DeliveryQueue {
    /// Runs `body` and returns the delivery of the events that it posted, which this thread must perform;
    /// `nil` if there are none.
    ///
    /// Until then the events wait, unless another thread delivers them meanwhile. If one of them blocks, other
    /// threads deliver those behind it, and this one returns when its callback does.
    func lead(_ body: () -> Void) -> RoundWork? {
        let thread = BackgroundThread.current
        state.withLock { state in
            if !state.leaders.contains(thread) { state.leaders.append(thread) }
        }
        body()
        let isNeeded = state.withLock { state in
            if state.turns.isEmpty { state.leaders.removeAll { $0 == thread } }
            return !state.turns.isEmpty
        }
        guard isNeeded else { return nil }
        return RoundWork(whenReplaced: { [self] in perform(state.withLock { $0.turns.endTiming() }) }) {
            [self] in deliverLed()
        }
    }

    /// True if the calling thread delivers what it posts when its ``lead(_:)`` has ended.
    var isLeading: Bool {
        state.withLock { !$0.leaders.isEmpty && $0.leaders.contains(BackgroundThread.current) }
    }

    private func deliverLed() {
        let thread = BackgroundThread.current
        let (leads, effect) = state.withLock { state in
            guard let index = state.leaders.firstIndex(of: thread) else {
                return (false, DeliveryTurns<ObserverQueue>.Effect.nothing)
            }
            state.leaders.remove(at: index)
            return state.turns.lead()
        }
        perform(effect)
        if leads { _ = deliver(isGuest: true) }
    }
}
