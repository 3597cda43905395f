public import PrefsDocuments

/// The topmost stored value for a name, which needs no knowledge of the key's type.
@usableFromInline
enum TopValue: Sendable {
    /// Not yet looked up in this generation.
    case unknown
    /// No layer sets the name.
    case absent
    /// The topmost value, which is effective if the key accepts it.
    case stored(PrefsValue)
    /// Text, a rejected candidate, or a dictionary that contains a lock: needs the full resolution.
    case involved
}

extension PrefsSnapshot {
    /// Returns the topmost value for a plain key's name: one without former names or other traits.
    func topValue(forKey name: String) -> TopValue {
        let path = PrefsPath(name)
        if state.locks.contains(where: { path != $0.path && path.contains($0.path) }) { return .involved }
        guard let top = candidates(for: PrefsKeyName(name)).first else { return .absent }
        return top.isText || top.rejection != nil ? .involved : .stored(top.value)
    }
}
