import PrefsSystem

/// The state that every storage with a single source shares: the current revision and its observers.
final class PublishedSource: TransitionSource {
    // Mutex order: `current`, then the mutex of `observers`, then the mutexes of an observer's backlog and
    // queue. A step is queued under `current`, so that each queue keeps the order of the steps. Observers are
    // called with no mutex held.
    private let current: Lock<PrefsSnapshot>
    private let observers = CallbackList<WaitingTransition>()
    let changes: PrefsChangeSource

    /// - Parameters:
    ///   - changes: The announcer of the changes. Several sources may share one.
    ///   - keysAreLiteral: True if a dot in a key is an ordinary character.
    init(
        _ source: PrefsSource, changes: PrefsChangeSource = PrefsChangeSource(isExact: true),
        keysAreLiteral: Bool = false
    ) {
        self.changes = changes
        current = Lock(
            PrefsSnapshot(
                generation: changes.generation, parts: [PrefsSnapshot.Part(source: source)],
                keysAreLiteral: keysAreLiteral))
    }

    var value: PrefsSource { snapshot.state.parts[0].source }

    var snapshot: PrefsSnapshot { current.withLock { $0 } }

    /// Publishes a new revision, and advances the generation if its contents differ, without notifying
    /// observers. The caller then calls `changes.announce()` without holding a mutex.
    ///
    /// - Parameter next: The new revision; `nil` if the contents are not values.
    func publish(_ next: PrefsSource?, didChange: Bool) {
        let generation = didChange ? PrefsChangeSource.nextGeneration() : nil
        if let next { current.withLock { put(next, at: generation ?? $0.generation, inPlaceOf: &$0) } }
        changes.notePublication(at: generation)
    }

    /// Derives the next revision from the current one and publishes it.
    ///
    /// - Parameter next: Returns the next revision; `nil` changes nothing. It is called with no mutex held,
    ///   and called again if another thread has published a revision in the meantime.
    /// - Returns: True if a revision was published. The caller then calls `changes.notify()` without holding
    ///   a mutex.
    func update(_ next: (PrefsSource) throws -> PrefsSource?) rethrows -> Bool {
        while true {
            let old = value
            let next = try next(old)
            let (isCurrent, generation) = current.withLock { current -> (Bool, UInt64?) in
                guard current.state.parts[0].source === old else { return (false, nil) }
                guard let next else { return (true, nil) }
                let generation = PrefsChangeSource.nextGeneration()
                put(next, at: generation, inPlaceOf: &current)
                return (true, generation)
            }
            if let generation { changes.advance(to: generation) }
            if isCurrent { return generation != nil }
        }
    }

    private func put(
        _ next: PrefsSource, at generation: UInt64, inPlaceOf current: inout PrefsSnapshot
    ) {
        let old = current
        current = old.with { state in
            (state.generation, state.parts) = (
                generation, PrefsSnapshot.Parts([PrefsSnapshot.Part(source: next)])
            )
        }
        if observers.isEmpty { return }
        let transition = PrefsTransition(old: old, new: current, cause: next.cause, dirty: [])
        observers.call(with: WaitingTransition(transition: transition, isCompared: false))
    }

    /// Registers an observer of the steps that may touch some keys. The thread that makes a step delivers it.
    func observeTransitions(
        of keys: [ObservedKey], keepsEveryStep: Bool,
        _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let observer = TransitionObserver(
            keys.flatMap(\.paths), on: nil, keepsEveryStep: keepsEveryStep, body)
        // Subscribe first: anything added to the queue must have a subscriber to drain it.
        let notifying = changes.observe { observer.queue.drain() }
        let (adding, start) = current.withLock { (observers.add { observer.add($0) }, $0) }
        let registration = PrefsObservation {
            notifying.cancel()
            observer.close()
            adding.cancel()
        }
        return TransitionObservation(start: start, queue: observer.queue, registration: registration)
    }
}
