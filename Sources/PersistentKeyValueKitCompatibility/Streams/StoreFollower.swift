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
        let queue = ObserverQueue(isHeld: true)
        let isRequested = Lock(false)
        let request = Selector { [key, store] in
            // A reading satisfies all requests that came before it.
            let isFirst = isRequested.withLock { isRequested in
                defer { isRequested = true }
                return !isRequested
            }
            guard isFirst else { return }
            queue.post {
                isRequested.withLock { $0 = false }
                receive(store.store.get(key))
            }
        }
        unsafe store.store.register(observer: observer, for: key, with: nil, and: request)
        first(store.store.get(key))
        queue.begin()
        let held = Observer(object: observer)
        return PrefsObservation { [key, store] in
            queue.close()
            unsafe store.store.deregister(held.object, for: key, context: nil)
        }
    }

    /// Keeps the observer alive as long as the registration.
    // Sendable: the object has no state, and is only compared.
    private struct Observer: @unchecked Sendable {
        let object: NSObject
    }
}
