import PrefsSystem

/// The state that every storage with a single source shares: the current version and the observers of the
/// next.
struct PublishedSource: ~Copyable {
    // Mutex order: `current`, then that of `inboxes`, then an inbox's own. Observers are called with none of
    // them held.
    private let current: Lock<PrefsSnapshot>
    private let inboxes = TransitionInboxes()
    let changes = PrefsChangeSource(isExact: true)

    /// - Parameter keysAreLiteral: True if a dot in a key is an ordinary character.
    init(_ source: PrefsSource, keysAreLiteral: Bool = false) {
        current = Lock(
            PrefsSnapshot(
                generation: changes.generation, parts: [PrefsSnapshot.Part(source: source)],
                keysAreLiteral: keysAreLiteral))
    }

    var value: PrefsSource { snapshot.state.parts[0].source }

    var snapshot: PrefsSnapshot { current.withLock { $0 } }

    /// Publishes a new version, and advances the generation if its contents differ, without notifying
    /// observers. The caller then calls `changes.notify()` without holding a mutex.
    func replace(_ next: PrefsSource, didChange: Bool) {
        let generation = didChange ? PrefsChangeSource.nextGeneration() : changes.generation
        current.withLock { put(next, at: generation, inPlaceOf: &$0) }
        if didChange { changes.advance(to: generation) }
    }

    /// Derives the next version from the current one, one caller at a time, publishes it and notifies
    /// observers; `nil` changes nothing.
    func update(_ next: (PrefsSource) throws -> PrefsSource?) rethrows {
        let generation = try current.withLock { current -> UInt64? in
            guard let next = try next(current.state.parts[0].source) else { return nil }
            let generation = PrefsChangeSource.nextGeneration()
            put(next, at: generation, inPlaceOf: &current)
            return generation
        }
        guard let generation else { return }
        changes.advance(to: generation)
        changes.notify()
    }

    private func put(
        _ next: PrefsSource, at generation: UInt64, inPlaceOf current: inout PrefsSnapshot
    ) {
        let old = current
        current = old.with { state in
            (state.generation, state.parts) = (generation, [PrefsSnapshot.Part(source: next)])
        }
        if !inboxes.isEmpty { inboxes.add(from: old, to: current) }
    }

    /// Registers for the steps that may touch some keys. The thread that makes a step delivers it.
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let inbox = TransitionInbox(keys.flatMap(\.name.paths), body)
        // Subscribe first: anything added to the inbox must have a subscriber to drain it.
        let notifying = changes.observe { inbox.drain() }
        let (id, start) = current.withLock { (inboxes.add(inbox), $0) }
        let registration = PrefsObservation { [inboxes] in
            notifying.cancel()
            inboxes.remove(id)
        }
        return TransitionObservation(start: start, registration: registration)
    }
}
