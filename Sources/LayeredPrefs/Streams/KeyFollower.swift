import PrefsDocuments
import PrefsSystem

/// Follows one or more keys in a storage: first the state before any change, then each change.
///
/// A storage that delivers its transitions is followed step by step. Any other storage is read again whenever
/// it reports a change. If its changes follow each other faster than they are delivered, they are one change.
struct KeyFollower<Reading: Sendable>: Sendable {
    let keys: [ObservedKey]
    /// Reads the current state of the keys in a storage.
    let read: @Sendable (any PrefsStorage) -> Reading
    /// Reads the state of the keys in a snapshot.
    let readSnapshot: @Sendable (PrefsSnapshot) -> Reading
    let isSame: @Sendable (Reading, Reading) -> Bool
    /// False if a follower that falls behind may receive several changes as one.
    var keepsEveryStep = false

    /// Registers with a storage. The registration does not keep the storage alive.
    ///
    /// - Parameters:
    ///   - first: Called with the state before any change. It is called before this function returns and
    ///     before any change is delivered.
    ///   - deliver: Called with each change, one at a time and in order, with no mutex held.
    func follow(
        _ storage: any PrefsStorage, first: (Reading) -> Void = { _ in },
        deliver: @escaping @Sendable (_ old: Reading, _ new: Reading, _ cause: PrefsChangeCause) -> Void
    ) -> PrefsObservation {
        if let source = storage._capabilities.transitions {
            let steps = steps(of: source, deliver)
            first(readSnapshot(steps.start))
            steps.queue.begin()
            return steps.registration
        }
        return Reader(self, storage, deliver).register(with: storage, first: first)
    }

    private func steps(
        of source: any TransitionSource,
        _ deliver: @escaping @Sendable (Reading, Reading, PrefsChangeCause) -> Void
    ) -> TransitionObservation {
        let last = LastReading()
        return source.observeTransitions(of: keys, keepsEveryStep: keepsEveryStep) { step in
            let old = last.reading(at: step.old, or: readSnapshot)
            let new = readSnapshot(step.new)
            last.keep(new, at: step.new)
            if !isSame(old, new) { deliver(old, new, step.cause) }
        }
    }

    /// The state at the end of the last step. Usually, it is also the state at the start of the next step.
    private final class LastReading: Sendable {
        /// An object, so that the mutex is held only while a reference is copied.
        private final class Kept: Sendable {
            let reading: Reading
            let state: PrefsSnapshot.Identity

            init(_ reading: Reading, _ state: PrefsSnapshot.Identity) {
                (self.reading, self.state) = (reading, state)
            }
        }

        // The runtime looks up the metadata of a type that depends on `Reading` for each use, so the type of
        // the mutex does not depend on it.
        private let kept = Lock<(any AnyObject & Sendable)?>(nil)

        func reading(at snapshot: PrefsSnapshot, or read: (PrefsSnapshot) -> Reading) -> Reading {
            guard let kept = kept.withLock({ $0 }) as? Kept, kept.state == snapshot.identity else {
                return read(snapshot)
            }
            return kept.reading
        }

        func keep(_ reading: Reading, at snapshot: PrefsSnapshot) {
            let next = Kept(reading, snapshot.identity)
            // The program's values may run code when they are released.
            kept.withLockReleasing { kept in
                defer { kept = next }
                return kept
            }
        }
    }

    /// Reads a storage again for each notification.
    private final class Reader: Sendable {
        private struct State {
            var last: Reading?
            /// True if a reading waits. That reading then satisfies all requests for one.
            var isRequested = false
        }

        private let queue = ObserverQueue(isHeld: true)
        private let state = Lock(State())
        private let follower: KeyFollower
        private weak let storage: (any PrefsStorage)?
        private let deliver: @Sendable (Reading, Reading, PrefsChangeCause) -> Void

        init(
            _ follower: KeyFollower, _ storage: any PrefsStorage,
            _ deliver: @escaping @Sendable (Reading, Reading, PrefsChangeCause) -> Void
        ) {
            (self.follower, self.storage, self.deliver) = (follower, storage, deliver)
        }

        func register(with storage: any PrefsStorage, first: (Reading) -> Void) -> PrefsObservation {
            // Register before the first reading. That reading then contains any change made in between, and
            // later changes are delivered.
            let registrations = follower.keys.flatMap(\.paths).compactMap { path in
                storage._registerObserver(under: path.name) { self.request() }
            }
            let start = follower.read(storage)
            state.withLock { $0.last = start }
            first(start)
            queue.begin()
            return PrefsObservation { [queue] in
                queue.close()
                for registration in registrations { registration.cancel() }
            }
        }

        private func request() {
            let isFirst = state.withLock { state in
                defer { state.isRequested = true }
                return !state.isRequested
            }
            if isFirst { queue.post { [self] in step() } }
        }

        private func step() {
            state.withLock { $0.isRequested = false }
            guard let now = storage.map(follower.read) else { return }
            let old = state.withLock { state in
                defer { state.last = now }
                return state.last
            }
            guard let old, !follower.isSame(old, now) else { return }
            // Such a storage reports that it has changed, but not why; `UserDefaults` reports writes.
            deliver(old, now, .write)
        }
    }
}
