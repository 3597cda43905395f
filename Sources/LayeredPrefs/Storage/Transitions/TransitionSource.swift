/// A storage that delivers every transition of its contents, so that observers need not read contents again
/// that may have changed in the meantime.
protocol TransitionSource: PrefsStorage {
    /// Calls `body` with every transition that may touch some keys, one at a time, in the order in which they
    /// were published, with no mutex held.
    ///
    /// - Returns: `nil` if this storage cannot report changes.
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation?
}

/// A registration for transitions.
struct TransitionObservation {
    /// The contents from which the first transition starts.
    let start: PrefsSnapshot
    let registration: PrefsObservation
}
