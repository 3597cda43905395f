import PrefsDocuments
import PrefsSystem

/// Passes a stack's transitions on to the observers that they touch. A thread of the loop does this, so a commit
/// costs the same for one observer as for 100,000.
final class TransitionFanOut: Sendable {
    private struct Registered: Sendable {
        let observer: TransitionObserver
        /// The generation at the registration. The observer receives transitions to later generations only.
        let start: UInt64
    }

    private let observers = Lock(KeyTrie<Registered>())
    private let queue: ObserverQueue
    /// The events that follow the observers' events.
    private let last: ObserverQueue
    private let loop: EventLoop

    init(on loop: EventLoop) {
        self.loop = loop
        queue = ObserverQueue(on: loop, as: .own)
        last = ObserverQueue(on: loop)
    }

    var isEmpty: Bool { observers.withLock { $0.isEmpty } }

    /// Registers an observer of the transitions after a generation. Call it while no transition can be added.
    func register(_ observer: TransitionObserver, at paths: [PrefsPath]?, after start: UInt64) -> Int {
        observers.withLock { $0.add(Registered(observer: observer, start: start), at: paths) }
    }

    func deregister(_ id: Int, at paths: [PrefsPath]?) {
        observers.withLockReleasing { $0.remove(id, at: paths) }
    }

    /// Adds a transition if it touches any observer. ``drain()`` passes it on. The caller may hold a mutex.
    func add(_ transition: PrefsTransition) {
        guard let first = observers.withLock({ $0.firstTouching(in: transition.dirty) }) else {
            return
        }
        queue.add { [self] in post(transition, from: first) }
    }

    func drain() { queue.drain() }

    /// - Parameter first: The position of the first changed path that was observed when the transition was added.
    ///   Observers that register later do not receive the transition.
    private func post(_ transition: PrefsTransition, from first: Int) {
        // Looked up in a copy, so that registering does not wait.
        let touched = observers.withLock { $0 }.elements(touchedBy: transition.dirty.dropFirst(first))
        let waiting = WaitingTransition(transition: transition)
        for registered in touched where registered.start < transition.new.generation {
            registered.observer.post(waiting)
        }
    }

    /// Posts an event to every observer, behind the transitions added so far.
    func postToAll(_ event: @escaping ObserverQueue.Event) {
        queue.post { [self] in
            for registered in observers.withLock({ $0.all }) { registered.observer.queue.post(event) }
        }
    }

    /// Drains another queue now, unless this thread will call the observers of the transitions added so far. Then
    /// it drains the other queue after them.
    func drainLast(_ other: ObserverQueue) {
        guard queue.waitingCount > 0, other.waitingCount > 0, loop.isDoingOwnWork else {
            return other.drain()
        }
        queue.post { [last] in last.post { other.drain() } }
    }
}
