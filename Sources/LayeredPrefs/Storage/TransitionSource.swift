/// A storage that hands out every step its contents take, so that observers need not read again what may
/// have moved on meanwhile.
protocol TransitionSource: PrefsStorage {
    /// Calls `body` with every step that may touch some keys, one after another in the order in which they
    /// came into force, under no lock.
    ///
    /// - Returns: `nil` when this storage cannot say that it changed.
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation?
}

/// A registration for transitions.
struct TransitionObservation {
    /// The contents that the first transition begins with.
    let start: PrefsSnapshot
    let registration: PrefsObservation
}
