import PrefsDocuments
extension PersistentKeyProtocol {
    /// Returns the value in a store, with its stored form for comparison.
    ///
    /// The form is that of the value, not the contents of the store: if a layer below the effective one
    /// changes, or a rejected value is replaced by another rejected one, a reader of this key sees no
    /// difference.
    ///
    ///     user      8080
    ///     system    70 → 71      the value is still 8080: no change
    func reading(of store: any PrefsStorage) -> ValueWatch<Value>.Reading {
        reading(of: store.get(self))
    }

    /// Returns the value in a snapshot, with its stored form for comparison.
    func reading(at snapshot: PrefsSnapshot) -> ValueWatch<Value>.Reading {
        reading(of: snapshot.get(self))
    }

    private func reading(of value: Value) -> ValueWatch<Value>.Reading {
        ValueWatch.Reading(value: value, identity: identity(of: value).map { [$0] })
    }

    /// Returns the stored form that distinguishes a value from others; absence counts as a form. `nil` if the
    /// value has none.
    func identity(of value: Value) -> PrefsValue?? {
        do {
            return .some(try coding.encode(value))
        } catch {
            return nil
        }
    }
}
