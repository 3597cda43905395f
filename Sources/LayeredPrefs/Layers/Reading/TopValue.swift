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
    /// Returns the topmost value under a key's present name, whatever its former names are.
    ///
    /// - Parameter path: The path of the present name.
    func topValue(of key: PrefsKeyName, at path: PrefsPath) -> TopValue {
        let rules = state.rules
        var ceiling = Int.max
        if rules.locks.concerns(path) {
            if rules.locks.areAny(below: path) { return .involved }
            ceiling = rules.locks.lock(on: path)?.height ?? .max
        }
        for index in state.parts.indices where state.parts[index].height <= ceiling {
            let source = state.parts[index].source
            if state.keysAreLiteral, !source.isText, rules.constraintRejections.isEmpty {
                guard let content = source.spelled[path.literalKey] else { continue }
                // Nothing else can reject a literal key's value, so its place need not be known.
                if content.candidate == nil { return .stored(content.value) }
            }
            guard let found = value(for: key, at: path, in: index) else { continue }
            if found.isText || found.isRejected { return .involved }
            return rules.rejection(of: path, in: index) == nil ? .stored(found.value) : .involved
        }
        return .absent
    }
}
