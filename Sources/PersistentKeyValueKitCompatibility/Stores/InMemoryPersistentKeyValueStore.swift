public import Foundation
public import LayeredPrefs
import PrefsDocuments

/// A store in memory. Observers are notified of every write, even if the value stays equal.
public final class InMemoryPersistentKeyValueStore: PersistentKeyValueStore, Sendable {
    /// The storage that holds the values. A stack may contain it.
    public let prefsStorage = DictionaryPrefsStorage()

    private let registrations = Registrations()
    /// The observers of writes of equal values, called with the key. The storage itself notifies of changes.
    private let equalWrites = CallbackList<String>()

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
            if before == prefsStorage.value(forKey: key.id) { equalWrites.call(with: key.id) }
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
        let equalWrites = equalWrites.add { if $0 == key { body() } }
        let changes = prefsStorage._registerObserver(under: key, body)
        return PrefsObservation {
            changes?.cancel()
            equalWrites.cancel()
        }
    }
}

extension PersistentKeyValueStore where Self == InMemoryPersistentKeyValueStore {
    /// A new store in memory, separate from all others.
    public static var ephemeral: InMemoryPersistentKeyValueStore { InMemoryPersistentKeyValueStore() }
}
