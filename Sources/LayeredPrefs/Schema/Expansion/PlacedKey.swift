import PrefsDocuments

/// A typed key together with the paths that its name stands for, computed once.
struct PlacedKey<Value: Sendable>: Sendable {
    let typed: PersistentKey<Value>
    let name: PrefsKeyName
    /// The paths at which the value may be stored, that of the current name first.
    let paths: [PrefsPath]
    /// True if the topmost stored value, when accepted, is always the answer: the key has no former names and
    /// does not merge.
    private let isPlain: Bool

    init(_ key: PersistentKey<Value>) {
        typed = key
        name = key.name
        paths = key.name.paths
        isPlain = key.traits.formerNames.isEmpty && !key.traits.mergesDeeply
    }

    /// Indicates whether the key's value differs between two states, comparing only the topmost stored value
    /// of each; `nil` if the answer requires a full resolution.
    ///
    /// For an `Int` key:
    ///
    /// | topmost stored value, before → after | result |
    /// |---|---|
    /// | `1` → `1`, or absent → absent | `false` |
    /// | `1` → `2` | `true` |
    /// | absent → the default's own value | `false` |
    /// | `1` → `"two"` | `nil`: rejected, so the value of a lower layer is effective |
    func plainlyDiffers(between old: PrefsSnapshot, and new: PrefsSnapshot) -> Bool? {
        guard isPlain, case .stored(let before) = old.top(of: name, at: paths[0]),
            case .stored(let after) = new.top(of: name, at: paths[0])
        else { return nil }
        if before == nil, after == nil { return false }
        guard let earlier = value(of: before) else { return nil }
        if before == after { return false }
        guard let later = value(of: after) else { return nil }
        return !typed.isEqual(earlier, later)
    }

    /// Returns the key's value for a stored value, or the default if nothing is stored; `nil` if the stored
    /// value is rejected.
    private func value(of stored: PrefsValue?) -> Value? {
        guard let stored else { return typed.defaultValue }
        guard let value = typed.coding.decode(stored) else { return nil }
        if let validate = typed.traits.validate, validate(value) != nil { return nil }
        return value
    }
}
