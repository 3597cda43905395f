import FileWatching

/// The state that every one-source storage shares: the version in force and who is told of the next.
struct PublishedSource: ~Copyable {
    // Lock order: `source`, then that of `inboxes`, then an inbox's own. Observers are called under none.
    private let source: Lock<PrefsSource>
    private let inboxes = TransitionInboxes()
    private let keysAreLiteral: Bool
    let changes = PrefsChangeSource(isExact: true)

    /// - Parameter keysAreLiteral: Whether a dot in a key is just a character.
    init(_ source: PrefsSource, keysAreLiteral: Bool = false) {
        self.source = Lock(source)
        self.keysAreLiteral = keysAreLiteral
    }

    var value: PrefsSource { source.withLock { $0 } }

    var snapshot: PrefsSnapshot { snapshot(of: value) }

    private func snapshot(of source: PrefsSource) -> PrefsSnapshot {
        PrefsSnapshot(
            generation: changes.generation, parts: [PrefsSnapshot.Part(source: source)],
            keysAreLiteral: keysAreLiteral)
    }

    /// Puts a new version in force without telling anybody; `changes.advance()`, with no lock held, does.
    func replace(_ next: PrefsSource) {
        source.withLock { put(next, inPlaceOf: &$0) }
    }

    /// Derives the next version from the present one, one caller at a time; `nil` changes nothing.
    func update(_ next: (PrefsSource) throws -> PrefsSource?) rethrows {
        let changed = try source.withLock { source in
            guard let next = try next(source) else { return false }
            put(next, inPlaceOf: &source)
            return true
        }
        if changed { changes.advance() }
    }

    private func put(_ next: PrefsSource, inPlaceOf source: inout PrefsSource) {
        if !inboxes.isEmpty { inboxes.add(from: snapshot(of: source), to: snapshot(of: next)) }
        source = next
    }

    /// Registers for the steps that may touch some keys; they are handed on by the thread that makes them.
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation {
        let inbox = TransitionInbox(keys.flatMap(\.name.paths), body)
        // First the telling: what is put in must find somebody to hand it on.
        let telling = changes.observe { inbox.handOn() }
        let (id, start) = source.withLock { (inboxes.add(inbox), snapshot(of: $0)) }
        let registration = PrefsObservation { [inboxes] in
            telling.cancel()
            inboxes.remove(id)
        }
        return TransitionObservation(start: start, registration: registration)
    }
}
