import PrefsSystem

/// A registration that ends when it is cancelled or released.
public final class PrefsObservation: Sendable {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// Creates a registration.
    ///
    /// - Parameter onCancel: Called once, at cancellation or release.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Lock(onCancel)
    }

    deinit { cancel() }

    /// Ends the registration; further calls do nothing.
    public func cancel() {
        let action = onCancel.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
