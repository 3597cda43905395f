import Dispatch
import PrefsSystem

/// The thread that calls the observers of stacks.
///
/// An observer's events wait in its ``ObserverQueue``, in order. If a callback blocks for longer than
/// `patience` while other observers' events wait, another thread replaces the blocked one, so that a slow
/// observer delays only its own later events. An observer's events are still delivered by only one thread at
/// a time.
final class DeliveryQueue: Sendable {
    /// The queue of all stacks that are given no other: one thread serves them all.
    static let shared = DeliveryQueue(scheduler: DispatchScheduler(queue: .global()))

    private let turns = Lock(DeliveryTurns<ObserverQueue>())
    private let wake = DispatchSemaphore(value: 0)
    private let scheduler: any Scheduler
    private let patience = Duration.milliseconds(20)

    init(scheduler: any Scheduler) { self.scheduler = scheduler }

    /// Delivers the events of an observer, on the delivery thread.
    func schedule(_ queue: ObserverQueue) {
        let effect = turns.withLock { $0.add(queue) }
        wake.signal()
        perform(effect)
    }

    private func perform(_ effect: DeliveryEffect) {
        switch effect {
        case .nothing: break
        case .startWorker(let number): startWorker(number)
        case .replaceWorker(let number):
            startWorker(number)
            wake.signal()
        case .checkLater(let callback):
            scheduler.run(after: patience) { [self] in
                perform(turns.withLock { $0.check(callback) })
            }
        }
    }

    private func startWorker(_ number: UInt64) {
        let work: @Sendable () -> Void = { [self] in run(as: number) }
        // If the system cannot create a thread, use one of the global queue's.
        if !BackgroundThread.start(named: "prefs-delivery", work) {
            DispatchQueue.global().async(execute: work)
        }
    }

    private func run(as worker: UInt64) {
        while true {
            wake.wait()
            while let (queue, effect) = turns.withLock({ $0.next(for: worker) }) {
                perform(effect)
                queue.deliverNext()
                let again = queue.endDelivery()
                switch turns.withLock({ $0.finish(queue, again: again, as: worker) }) {
                case .stay: break
                case .leave(let wakesSuccessor):
                    if wakesSuccessor { wake.signal() }
                    return
                }
            }
        }
    }
}

/// The action of a delivery queue after a change of its turns.
enum DeliveryEffect: Sendable, Equatable {
    case nothing
    case startWorker(UInt64)
    /// Starts a worker because another one is in a blocked callback.
    case replaceWorker(UInt64)
    /// Calls ``DeliveryTurns/check(_:)`` for a callback that may block while others wait.
    case checkLater(callback: UInt64)
}

/// The observers whose turn it is to receive an event, and the worker that delivers it.
struct DeliveryTurns<Queue> {
    /// The next step of a worker after a callback.
    enum Continuation: Sendable, Equatable {
        case stay
        /// Another worker has replaced it.
        case leave(wakesSuccessor: Bool)
    }

    /// The observers that have events, in the order in which they are served.
    private var ready = Fifo<Queue>()
    /// The number of the active worker; 0 before the first. Replaced ones are in a blocked callback and end
    /// when it returns.
    private var active: UInt64 = 0
    /// The number of callbacks so far, by which a delayed check recognizes the one it was scheduled for.
    private var callback: UInt64 = 0
    /// True while the active worker is in a callback.
    private var isCalling = false
    /// True while a check for a blocked callback is scheduled.
    private var isCheckScheduled = false

    /// Adds an observer whose events are to be delivered.
    mutating func add(_ queue: Queue) -> DeliveryEffect {
        ready.append(queue)
        guard active == 0 else { return scheduleCheck() }
        active = 1
        return .startWorker(active)
    }

    /// Returns the observer whose event a worker delivers next; `nil` if there is none, or if the worker has
    /// been replaced.
    mutating func next(for worker: UInt64) -> (queue: Queue, effect: DeliveryEffect)? {
        guard active == worker, let queue = ready.popFirst() else { return nil }
        callback += 1
        isCalling = true
        return (queue, scheduleCheck())
    }

    /// Ends a worker's callback.
    ///
    /// - Parameter again: True if the observer has more events.
    mutating func finish(_ queue: Queue, again: Bool, as worker: UInt64) -> Continuation {
        if again { ready.append(queue) }
        guard active == worker else { return .leave(wakesSuccessor: again) }
        isCalling = false
        return .stay
    }

    /// Replaces the active worker if it is still in the same callback while observers wait.
    mutating func check(_ checked: UInt64) -> DeliveryEffect {
        isCheckScheduled = false
        guard isCalling, !ready.isEmpty else { return .nothing }
        guard callback == checked else { return scheduleCheck() }
        active += 1
        isCalling = false
        return .replaceWorker(active)
    }

    /// Schedules a check of the present callback, if observers wait behind it and none is scheduled.
    private mutating func scheduleCheck() -> DeliveryEffect {
        guard isCalling, !ready.isEmpty, !isCheckScheduled else { return .nothing }
        isCheckScheduled = true
        return .checkLater(callback: callback)
    }
}
