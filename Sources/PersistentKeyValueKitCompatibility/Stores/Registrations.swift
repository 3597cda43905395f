import Foundation
import LayeredPrefs
import PrefsSystem

/// The observers that registered with a store by an object and a context.
final class Registrations: Sendable {
    private struct Registration: Sendable {
        let observer: ObjectIdentifier
        let store: ObjectIdentifier
        let key: String
        let context: UInt
        let isThere: WeakObserver
        let observation: PrefsObservation
    }

    /// The registrations with stores that have no room for a table: `UserDefaults` and the storages of
    /// LayeredPrefs.
    static let shared = Registrations()

    private let table = Lock<[Registration]>([])

    /// Adds a registration, which ends when the observer is released.
    ///
    /// - Parameter observe: Begins to observe the store, and calls its argument for each change.
    func add(
        _ observer: NSObject, of store: AnyObject, for key: String, context: UnsafeMutableRawPointer?,
        calling selector: Selector, observe: (@escaping @Sendable () -> Void) -> PrefsObservation?
    ) {
        let isThere = WeakObserver(observer)
        let observation = observe { if isThere.exists { selector() } }
        guard let observation else { return }
        let registration = Registration(
            observer: ObjectIdentifier(observer), store: ObjectIdentifier(store), key: key,
            context: UInt(bitPattern: context), isThere: isThere, observation: observation)
        // Remove the registrations of released observers, because a new object may have the same address.
        take { !$0.isThere.exists }
        table.withLock { $0.append(registration) }
    }

    /// Ends the registrations of an observer.
    func remove(
        _ observer: NSObject, of store: AnyObject, for key: String, context: UnsafeMutableRawPointer?
    ) {
        let (observer, store) = (ObjectIdentifier(observer), ObjectIdentifier(store))
        let context = UInt(bitPattern: context)
        take { entry in
            entry.observer == observer && entry.store == store && entry.key == key && entry.context == context
        }
    }

    /// Removes registrations and ends them, with no mutex held.
    private func take(where isRemoved: @Sendable (Registration) -> Bool) {
        let removed = table.withLock { table in
            defer { table.removeAll(where: isRemoved) }
            return table.filter(isRemoved)
        }
        for registration in removed { registration.observation.cancel() }
    }

    /// A weak reference to an observer.
    // Sendable: the object is only checked for existence.
    private final class WeakObserver: @unchecked Sendable {
        private weak let observer: NSObject?

        init(_ observer: NSObject) { self.observer = observer }

        var exists: Bool { observer != nil }
    }
}
