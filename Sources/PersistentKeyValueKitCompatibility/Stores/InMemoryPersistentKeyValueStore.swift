public import Foundation
public import LayeredPrefs
import PrefsDocuments
import PrefsSystem

/// A store in memory. Observers are notified of every write, also of an equal value.
public final class InMemoryPersistentKeyValueStore: PersistentKeyValueStore, Sendable {
    private struct Observers: Sendable {
        var bodies: [String: [UInt64: @Sendable () -> Void]] = [:]
        var lastID: UInt64 = 0
    }

    /// The storage that holds the values, which a stack may contain.
    public let prefsStorage = DictionaryPrefsStorage()

    private let registrations = Registrations()
    /// The observers of writes of equal values; the storage notifies of changes itself.
    private let observers = Lock(Observers())

    /// Creates an empty store.
    public init() {}

    public func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value {
        prefsStorage.get(key.persistentKey)
    }

    public func set<Key: PersistentKeyProtocol>(_ key: Key, to value: Key.Value) {
        write(key) { try prefsStorage.set(key.persistentKey, to: value) }
    }

    public func remove<Key: PersistentKeyProtocol>(_ key: Key) {
        write(key) { try prefsStorage.remove(key.persistentKey) }
    }

    private func write<Key: PersistentKeyProtocol>(_ key: Key, _ body: () throws -> Void) {
        guard key.persistentKey.isMutable else { return }
        let before = prefsStorage.value(forKey: key.id)
        prefsStorage.reporting(key: key.id) {
            try body()
            guard before == prefsStorage.value(forKey: key.id) else { return }
            let bodies = observers.withLock { $0.bodies[key.id] ?? [:] }
            for id in bodies.keys.sorted() { bodies[id]?() }
        }
    }

    public func deregister<Key: PersistentKeyProtocol>(
        _ observer: NSObject, for key: Key, context: UnsafeMutableRawPointer?
    ) {
        unsafe registrations.remove(observer, of: self, for: key.id, context: context)
    }

    public func register<Key: PersistentKeyProtocol>(
        observer: NSObject, for key: Key, with context: UnsafeMutableRawPointer?,
        and valueWillChange: Selector
    ) {
        unsafe registrations.add(observer, of: self, for: key.id, context: context, calling: valueWillChange)
        {
            observe(key.id, $0)
        }
    }

    private func observe(_ key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation {
        let id = observers.withLock { observers in
            observers.lastID += 1
            observers.bodies[key, default: [:]][observers.lastID] = body
            return observers.lastID
        }
        let changes = prefsStorage._registerObserver(under: key, body)
        return PrefsObservation { [weak self] in
            changes?.cancel()
            self?.observers.withLock { $0.bodies[key]?[id] = nil }
        }
    }
}

extension PersistentKeyValueStore where Self == InMemoryPersistentKeyValueStore {
    /// A new store in memory, separate from all others.
    public static var ephemeral: InMemoryPersistentKeyValueStore { InMemoryPersistentKeyValueStore() }
}
