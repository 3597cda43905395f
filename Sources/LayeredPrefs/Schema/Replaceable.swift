#if Macros
    import PrefsSystem

    /// A value that may be replaced from any thread, and the listener notified of each replacement.
    package final class Replaceable<Value: Sendable>: Sendable {
        private struct State {
            var value: Value
            var listener: PrefsExpansion.Callback?
        }

        private let state: Lock<State>

        package init(_ value: Value) {
            state = Lock(State(value: value))
        }

        package var value: Value { state.withLock { $0.value } }

        /// Replaces the value and notifies the listener.
        ///
        /// - Parameters:
        ///   - value: The new value.
        ///   - isElsewhere: True if the caller may be outside the listener's isolation.
        package func replace(with value: Value, isElsewhere: Bool = false) {
            let (listener, replaced) = state.withLock { state in
                defer { state.value = value }
                return (state.listener, state.value)
            }
            // Released outside the mutex, because that may run code of the program, which may use the value.
            _ = replaced
            isElsewhere ? listener?.callInIsolation() : listener?.call()
        }

        package func whenReplaced(_ listener: PrefsExpansion.Callback) {
            state.withLock { $0.listener = listener }
        }
    }
#endif
