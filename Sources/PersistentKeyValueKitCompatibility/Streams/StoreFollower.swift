import Foundation
import LayeredPrefs
import PrefsSystem

/// Follows a key in a store: the value at the start, then the value after each change, one call at a time.
struct StoreFollower<Key: PersistentKeyProtocol>: Sendable {
    let key: Key
    let store: AnyStore

    /// Registers with the store before it reads the first value, so that no change in between is missed.
    ///
    /// - Parameters:
    ///   - first: Called with the first value before this function returns.
    ///   - receive: Called with each later value, on the thread that changed it.
    func follow(
        first: (Key.Value) -> Void, _ receive: @escaping @Sendable (Key.Value) -> Void
    ) -> PrefsObservation {
        let observer = NSObject()
        let delivery = Delivery { [key, store] in receive(store.store.get(key)) }
        unsafe store.store.register(
            observer: observer, for: key, with: nil, and: Selector { delivery.request() })
        first(store.store.get(key))
        delivery.begin()
        let held = Observer(object: observer)
        return PrefsObservation { [key, store] in
            delivery.end()
            unsafe store.store.deregister(held.object, for: key, context: nil)
        }
    }

    /// Keeps the observer alive as long as the registration.
    // Sendable: the object has no state, and is only compared.
    private struct Observer: @unchecked Sendable {
        let object: NSObject
    }

    /// Makes one call at a time. Requests during a call are satisfied by one more.
    private final class Delivery: Sendable {
        private struct State {
            /// True before the first value has been delivered, too.
            var isBusy = true
            var isRequested = false
            var hasEnded = false
        }

        private let state = Lock(State())
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func request() {
            let isFirst = state.withLock { state in
                if state.hasEnded { return false }
                if state.isBusy {
                    state.isRequested = true
                    return false
                }
                state.isBusy = true
                return true
            }
            guard isFirst else { return }
            body()
            finish()
        }

        /// Permits calls, and makes the one that was requested meanwhile.
        func begin() { finish() }

        func end() { state.withLock { $0.hasEnded = true } }

        private func finish() {
            while state.withLock({ state in
                state.isBusy = state.isRequested && !state.hasEnded
                state.isRequested = false
                return state.isBusy
            }) {
                body()
            }
        }
    }
}
