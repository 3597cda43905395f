import PrefsDocuments
/// A typed key, and what follows from it about where its value is.
struct PlacedKey<Value: Sendable>: Sendable {
    let typed: PersistentKey<Value>
    let name: PrefsKeyName
    /// Where the value may be, the present name's place first.
    let paths: [PrefsPath]
    /// Whether nothing but the topmost stored value can be the answer, where that is acceptable.
    private let isPlain: Bool

    init(_ key: PersistentKey<Value>) {
        typed = key
        name = key.name
        paths = key.name.paths
        isPlain = key.traits.formerNames.isEmpty && !key.traits.mergesDeeply
    }

    /// Whether the key reads differently from two states, where that takes no more than a look at what is
    /// stored highest in each; `nil` where it takes the whole resolution.
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

    /// What something stored, or nothing, makes the key; `nil` where it is refused.
    private func value(of stored: PrefsValue?) -> Value? {
        guard let stored else { return typed.defaultValue }
        guard let value = typed.representation.decode(stored) else { return nil }
        if let validate = typed.traits.validate, validate(value) != nil { return nil }
        return value
    }
}
