import PrefsDocuments

extension PrefsSnapshot {
    /// Returns the topmost value under any name of a key that does not merge.
    ///
    /// - Parameter paths: The paths of the key's names.
    func topValue(of key: PrefsKeyName, at paths: [PrefsPath]) -> TopValue {
        let rules = state.rules
        var ceiling = Int.max
        if !rules.locks.isEmpty {
            let lockable = key.lockablePaths
            if lockable.contains(where: rules.locks.areAny) { return .involved }
            if lockable.contains(where: rules.locks.concerns) { ceiling = lock(on: key)?.height ?? .max }
        }
        for index in state.parts.indices where state.parts[index].height <= ceiling {
            let source = state.parts[index].source
            if state.keysAreLiteral, paths.count == 1, !source.isText {
                guard let content = source.spelled[paths[0].literalKey] else { continue }
                // Nothing else can reject a literal key's value, so its place need not be known.
                if content.candidate == nil { return .stored(content.value) }
            }
            guard let found = value(for: key, atFirstOf: paths, in: index) else { continue }
            if found.isRejected { return .involved }
            if !found.isText { return .stored(found.value) }
            return if case .string(let text) = found.value { .text(text) } else { .involved }
        }
        return .absent
    }
}
