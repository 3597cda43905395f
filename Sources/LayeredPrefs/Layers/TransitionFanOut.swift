import PrefsDocuments
import PrefsSystem

/// Passes a stack's transitions on to the observers that they touch, on the delivery thread, so that a commit
/// costs the same for one observer as for 100,000.
final class TransitionFanOut: Sendable {
    private struct Registered {
        let observer: TransitionObserver
        /// The generation from which the observer starts.
        let start: UInt64
    }

    private let observers = Lock(PathTrie<Registered>())
    private let queue: ObserverQueue

    init(on delivery: DeliveryQueue) { queue = ObserverQueue(on: delivery) }

    var isEmpty: Bool { observers.withLock { $0.isEmpty } }

    /// Registers an observer of the transitions after a generation; called while no transition can be added.
    func register(_ observer: TransitionObserver, at paths: [PrefsPath]?, after start: UInt64) -> UInt64 {
        observers.withLock { $0.add(Registered(observer: observer, start: start), at: paths) }
    }

    func deregister(_ id: UInt64, at paths: [PrefsPath]?) { observers.withLock { $0.remove(id, at: paths) } }

    /// Adds a transition, which ``drain()`` passes on; may be called with a mutex held.
    func add(_ transition: PrefsTransition) {
        if isEmpty { return }
        queue.add { [self] in post(transition) }
    }

    func drain() { queue.drain() }

    private func post(_ transition: PrefsTransition) {
        let touched = observers.withLock { $0.observers(of: transition.dirty) }
        for registered in touched where registered.start < transition.new.generation {
            registered.observer.post(transition)
        }
    }

    /// Posts an event to every observer, behind the transitions added so far.
    func postToAll(_ event: @escaping ObserverQueue.Event) {
        queue.post { [self] in
            for registered in observers.withLock({ $0.all }) { registered.observer.queue.post(event) }
        }
    }
}
