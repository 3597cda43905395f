public import PrefsDocuments
/// What the layers have for a name, as far as a key's type need not be asked: the topmost stored value.
@usableFromInline
enum TopValue: Sendable {
    /// Nobody has looked yet at this generation.
    case unknown
    /// No layer has anything.
    case absent
    /// The topmost value, which is the answer where the key accepts it.
    case stored(PrefsValue)
    /// Text, something refused, or a dictionary with a lock in it: only the whole resolution tells.
    case involved
}

extension PrefsSnapshot {
    /// The topmost value for a name that no key has declared anything of.
    func topValue(forKey name: String) -> TopValue {
        let path = PrefsPath(name)
        if state.locks.contains(where: { path != $0.path && path.contains($0.path) }) { return .involved }
        guard let top = candidates(for: PrefsKeyName(name)).first else { return .absent }
        return top.isText || top.rejection != nil ? .involved : .stored(top.value)
    }
}
