import PrefsDocuments
/// What one version of a source changed in the version before it, where whoever made it knew.
struct PrefsSourceStep: Sendable {
    /// The version that this step begins at.
    let start: UInt64
    /// Everything that differs lies at or beneath one of these paths.
    let paths: [PrefsPath]
    /// Whether the contents do differ at each of them.
    var isExact = false
}

extension PrefsSnapshot {
    /// Paths at or beneath which lies all that differs from an earlier state, where the sources know it of
    /// themselves; `nil` where only a comparison could tell.
    ///
    /// Costs as much as there are sources, however much they hold.
    func knownChanges(since old: PrefsSnapshot) -> [PrefsPath]? {
        let (state, earlier) = (state, old.state)
        if state === earlier { return [] }
        guard state.parts.count == earlier.parts.count, state.keysAreLiteral == earlier.keysAreLiteral,
            state.locks == earlier.locks, state.refusals == earlier.refusals, state.claims == earlier.claims
        else { return nil }
        var paths: [PrefsPath] = []
        for (part, previous) in zip(state.parts, earlier.parts) where part.source !== previous.source {
            guard part.height == previous.height, let step = part.source.step,
                step.start == previous.source.version
            else { return nil }
            paths += step.paths
        }
        return paths
    }
}

extension PrefsSnapshot {
    /// What is stored highest for a key.
    enum Top {
        /// A value that a type can be asked for, or nothing at all.
        case stored(PrefsValue?)
        /// Something that more has to be known of: text, a dictionary, a lock, what bars the way.
        case involved
    }

    /// What is stored highest under a key's present name.
    ///
    /// - Parameter path: The path of that name.
    func top(of name: PrefsKeyName, at path: PrefsPath) -> Top {
        guard state.locks.isEmpty, state.refusals.isEmpty else { return .involved }
        for part in state.parts {
            switch top(of: name, at: path, in: part.source) {
            case .stored(nil): continue
            case let top: return top
            }
        }
        return .stored(nil)
    }

    private func top(of name: PrefsKeyName, at path: PrefsPath, in source: PrefsSource) -> Top {
        if case .variables(let variables) = source.form {
            if variables.variables.isEmpty { return .stored(nil) }
            let text = variables.candidate(for: name, of: name.name, layer: nil, claims: state.claims)
            return text == nil ? .stored(nil) : .involved
        }
        if source.isText { return source.candidate(for: path, layer: nil) == nil ? .stored(nil) : .involved }
        if state.keysAreLiteral { return .stored(source.root[path.name]?.value) }
        switch source.find(path) {
        case .found(let content, _): return content.kind == .dictionary ? .involved : .stored(content.value)
        case .blocked: return .involved
        // Dotted keys beneath the path may make up a dictionary.
        case .absent: return source.candidate(for: path, layer: nil) == nil ? .stored(nil) : .involved
        }
    }
}
