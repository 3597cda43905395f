import PrefsDocuments
import PrefsSystem

/// The observers of a stack.
///
/// A commit only adds its transition; the delivery thread looks up the observers that it touches. A commit
/// therefore takes the same time for any number of observers.
final class StackObservers: Sendable {
    private struct Registration: Sendable {
        let observer: TransitionObserver
        /// The generation from which the observer's first transition starts.
        let start: UInt64
    }

    // Mutex order: `registrations`, then those of `commits`.
    private let registrations = Lock(PathTrie<Registration>())
    /// The transitions whose observers have not been looked up.
    private let commits: ObserverQueue

    init(on delivery: DeliveryQueue) { commits = ObserverQueue(on: delivery, neverBlocks: true) }

    var isEmpty: Bool { registrations.withLock { $0.isEmpty } }

    /// Registers an observer of some paths, or of everything if `paths` is `nil`, and returns its number.
    ///
    /// - Parameter start: The generation whose successors the observer is notified of.
    func add(_ observer: TransitionObserver, at paths: [PrefsPath]?, since start: UInt64) -> UInt64 {
        registrations.withLock { $0.add(Registration(observer: observer, start: start), at: paths) }
    }

    func remove(_ id: UInt64, at paths: [PrefsPath]?) {
        registrations.withLockReleasing { $0.remove(id, at: paths) }
    }

    /// Adds a transition if it touches any observer; ``deliver()`` delivers it. May be called with a mutex
    /// held, which keeps the transitions in order.
    func add(_ transition: PrefsTransition) {
        guard registrations.withLock({ $0.hasObserver(of: transition.dirty) }) else { return }
        commits.add { [self] in
            let touched = registrations.withLock { $0 }.observers(of: transition.dirty)
            let waiting = WaitingTransition(transition)
            for registration in touched where registration.start < transition.new.generation {
                registration.observer.post(waiting)
            }
        }
    }

    /// Has the added transitions delivered.
    func deliver() { commits.drain() }

    /// Posts an event to all observers, behind everything added before.
    func postToAll(_ event: @escaping @Sendable () -> Void) {
        commits.post { [self] in
            // A blocked observer does not delay the others, so each one's queue gets the event.
            for registration in registrations.withLock({ $0.all }) { registration.observer.queue.post(event) }
        }
    }
}
