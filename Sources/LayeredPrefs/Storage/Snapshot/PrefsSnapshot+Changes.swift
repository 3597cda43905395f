import PrefsDocuments

/// The difference between a version of a source and the version before it, recorded if the code that made it
/// knows.
struct PrefsSourceStep: Sendable {
    /// The version from which this step starts.
    let start: UInt64
    /// Every difference lies at or below one of these paths.
    let paths: [PrefsPath]
    /// True if the contents are known to differ at each of these paths.
    var isExact = false
}

extension PrefsSnapshot {
    /// Returns paths that cover every difference from an earlier state (each lies at or below one of them),
    /// if the sources have recorded it; `nil` if only a comparison can find the differences.
    ///
    /// The cost is proportional to the number of sources, however large they are.
    ///
    /// For example, if the only source that changed recorded a step from its earlier version with the path
    /// `http.port`, the result is `[http.port]`. If that source skipped a version, has no recorded step (a
    /// file that appeared), or if a lock, a constraint's rejections or the set of layers changed as well, it
    /// is `nil`.
    func knownChanges(since old: PrefsSnapshot) -> [PrefsPath]? {
        let (state, earlier) = (state, old.state)
        if state === earlier { return [] }
        guard state.parts.count == earlier.parts.count, state.keysAreLiteral == earlier.keysAreLiteral,
            state.locks == earlier.locks, state.constraintRejections == earlier.constraintRejections,
            state.claims == earlier.claims
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
    /// The topmost stored value for a key.
    enum Top {
        /// A value that a type can decode, or nothing at all.
        case stored(PrefsValue?)
        /// Needs the full resolution: text, a dictionary, a lock, or a non-dictionary that blocks the path.
        case involved
    }

    /// Returns the topmost stored value under a key's present name.
    ///
    /// - Parameter path: The path of that name.
    func top(of name: PrefsKeyName, at path: PrefsPath) -> Top {
        guard state.locks.isEmpty, state.constraintRejections.isEmpty else { return .involved }
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
        // Dotted keys below the path may make up a dictionary.
        case .absent: return source.candidate(for: path, layer: nil) == nil ? .stored(nil) : .involved
        }
    }
}
