import PrefsDocuments
extension PersistentKeyProtocol {
    /// The value of a store, with the stored form that tells it from others.
    ///
    /// The form is that of the value, not what the store holds: when a layer changes beneath the one in force,
    /// or a refused value is replaced by another refused one, nobody who reads this key sees a difference.
    func reading(of store: some PersistentKeyValueStore) -> ValueWatch<Value>.Reading {
        reading(of: store.get(self))
    }

    /// The value at a snapshot, with the stored form that tells it from others.
    func reading(at snapshot: PrefsSnapshot) -> ValueWatch<Value>.Reading {
        reading(of: snapshot.get(self))
    }

    private func reading(of value: Value) -> ValueWatch<Value>.Reading {
        ValueWatch.Reading(value: value, identity: identity(of: value).map { [$0] })
    }

    /// The stored form that tells a value from others, "absent" included; `nil` when it has none.
    func identity(of value: Value) -> PrefsValue?? {
        do {
            return .some(try representation.encode(value))
        } catch {
            return nil
        }
    }
}
