import PrefsSystem

/// The state that every one-source storage shares: the version in force and who is told of the next.
struct PublishedSource: ~Copyable {
    // Lock order: `current`, then that of `inboxes`, then an inbox's own. Observers are called under none.
    private let current: Lock<PrefsSnapshot>
    private let inboxes = TransitionInboxes()
    let changes = PrefsChangeSource(isExact: true)

    /// - Parameter keysAreLiteral: Whether a dot in a key is just a character.
    init(_ source: PrefsSource, keysAreLiteral: Bool = false) {
        current = Lock(
            PrefsSnapshot(
                generation: changes.generation, parts: [PrefsSnapshot.Part(source: source)],
                keysAreLiteral: keysAreLiteral))
    }

    var value: PrefsSource { snapshot.state.parts[0].source }

    var snapshot: PrefsSnapshot { current.withLock { $0 } }

    /// Puts a new version in force, and moves the generation if it says anything else, without telling anybody;
    /// `changes.notify()`, with no lock held, does.
    func replace(_ next: PrefsSource, isNews: Bool) {
        let generation = isNews ? PrefsChangeSource.nextGeneration() : changes.generation
        current.withLock { put(next, at: generation, inPlaceOf: &$0) }
        if isNews { changes.advance(to: generation) }
    }

    /// Derives the next version from the present one, one caller at a time, and tells; `nil` changes nothing.
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
        current = PrefsSnapshot(
            generation: generation, parts: [PrefsSnapshot.Part(source: next)],
            keysAreLiteral: old.state.keysAreLiteral)
        if !inboxes.isEmpty { inboxes.add(from: old, to: current) }
    }

    /// Registers for the steps that may touch some keys; they are handed on by the thread that makes them.
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let inbox = TransitionInbox(keys.flatMap(\.name.paths), body)
        // First the telling: what is put in must find somebody to hand it on.
        let telling = changes.observe { inbox.handOn() }
        let (id, start) = current.withLock { (inboxes.add(inbox), $0) }
        let registration = PrefsObservation { [inboxes] in
            telling.cancel()
            inboxes.remove(id)
        }
        return TransitionObservation(start: start, registration: registration)
    }
}
