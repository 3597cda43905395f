import PrefsSystem

/// A registered observer. The registration ends when it is cancelled or released.
public final class PrefsObservation: Sendable {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// Creates a registration.
    ///
    /// - Parameter onCancel: Called once, at cancellation or release.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Lock(onCancel)
    }

    deinit { cancel() }

    /// Ends the registration; further calls do nothing. No callback begins after this returns.
    public func cancel() {
        let action = onCancel.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }

    /// Keeps the registration in a set, such as one that an object owns, and thereby as long as that object
    /// lives.
    public func store(in observations: inout Set<PrefsObservation>) { observations.insert(self) }
}

extension PrefsObservation: Hashable {
    /// An observation equals only itself.
    public static func == (lhs: PrefsObservation, rhs: PrefsObservation) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
