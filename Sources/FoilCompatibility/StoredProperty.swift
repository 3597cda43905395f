import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments

/// A value that is carried through LayeredPrefs, whose keys require `Sendable` values.
// Sendable: Foil does not require it of values. Each read decodes a value of its own; only a default is shared,
// as it is by Foil.
struct Carried<Value>: @unchecked Sendable {
    let value: Value
}

/// The key and the storage of a property, and how it is followed.
struct StoredProperty<Value>: Sendable {
    let key: PersistentKey<Carried<Value>>
    let storage: any PrefsStorage
    /// Returns the `storedValue` of a value, with its stored form; `nil` for `nil`.
    private let storedValue: @Sendable (Value) throws -> (form: PrefsValue, object: Any)?

    var value: Value {
        get { storage.get(key).value }
        nonmutating set { storage.reporting(key: key.id) { try store(newValue) } }
    }

    private func store(_ value: Value) throws {
        if let defaults = storage as? UserDefaultsPrefsStorage {
            let stored = try storedValue(value)
            try defaults.setValue(stored?.form, of: stored?.object, forKey: key.id)
            return
        }
        try storage.set(key, to: Carried(value: value))
    }

    /// Registers the default if the storage is Foundation's defaults, as Foil does.
    func registerDefault() {
        guard let defaults = storage as? UserDefaultsPrefsStorage else { return }
        let value = key.defaultValue.value
        storage.reporting(key: key.id) {
            let stored = try storedValue(value)
            defaults.register(stored?.form, of: stored?.object, forKey: key.id)
        }
    }

    /// Calls `receive` with the current value before it returns, and then with every change. For Foundation's
    /// defaults, it also delivers equal values that are written through this library.
    func follow(_ receive: @escaping @Sendable (Carried<Value>) -> Void) -> PrefsObservation {
        if let defaults = storage as? UserDefaultsPrefsStorage {
            // Writes of several threads are delivered one at a time, and read only then, so that the last value
            // received is the last value written.
            let queue = ObserverQueue(isHeld: true)
            // Register before reading, so that no change in between is missed.
            let observation = defaults.observeWrites(forKey: key.id) {
                queue.post { receive(defaults.get(key)) }
            }
            receive(defaults.get(key))
            queue.begin()
            return PrefsObservation {
                queue.close()
                observation.cancel()
            }
        }
        return storage.values(for: key).sink(receive)
    }
}

extension StoredProperty where Value: UserDefaultsSerializable {
    init(_ name: String, defaultValue: Value, storage: any PrefsStorage) {
        key = PersistentKey(
            name, defaultValue: Carried(value: defaultValue),
            coding: CarriedCoding(base: UserDefaultsSerializableRepresentation<Value>()))
        self.storage = storage
        storedValue = { try UserDefaultsSerializableRepresentation<Value>.stored($0) }
    }
}

extension StoredProperty {
    init<Wrapped: UserDefaultsSerializable>(optional name: String, storage: any PrefsStorage)
    where Value == Wrapped? {
        key = PersistentKey(
            name, defaultValue: Carried(value: nil),
            coding: CarriedCoding(
                base: UserDefaultsSerializableRepresentation<Wrapped>().optionalPrefsCoding))
        self.storage = storage
        storedValue = { try $0.map(UserDefaultsSerializableRepresentation<Wrapped>.stored) }
    }
}

/// Stores a carried value in the coding of the value.
private struct CarriedCoding<Base: PrefsCoding>: PrefsCoding {
    let base: Base

    func encode(_ value: Carried<Base.Value>) throws -> PrefsValue? { try base.encode(value.value) }

    func decode(_ stored: PrefsValue) -> Carried<Base.Value>? {
        base.decode(stored).map(Carried.init(value:))
    }

    func storedForm(ofText text: String) -> PrefsValue? { base.storedForm(ofText: text) }

    var expectation: String { base.expectation }
}
