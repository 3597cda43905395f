import PrefsSystem

/// The registration of an observer, which ends when you cancel or release this object.
public final class PrefsObservation: Sendable {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// Creates a registration.
    ///
    /// - Parameter onCancel: Called once, when the registration is cancelled or released.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Lock(onCancel)
    }

    deinit { cancel() }

    /// Ends the registration.
    ///
    /// Changes that wait for the observer are discarded. If another thread is calling the observer, or is just
    /// about to call it, that call may still run after this method returns. Calling the method again does nothing.
    public func cancel() {
        let action = onCancel.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }

    /// Stores the observation in a set, which keeps the registration alive.
    ///
    /// If an object owns the set, the registration lasts as long as the object.
    public func store(in observations: inout Set<PrefsObservation>) { observations.insert(self) }
}

extension PrefsObservation: Hashable {
    /// An observation equals only itself.
    public static func == (lhs: PrefsObservation, rhs: PrefsObservation) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
