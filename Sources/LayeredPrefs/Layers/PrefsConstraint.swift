import FileWatching

/// A rule over several keys: what it refuses is refused together.
///
/// Minimum and maximum, certificate and key: each value may be right on its own. Where the values in force
/// break the rule, the candidates of all its keys in the highest layer that contributes are refused, and so
/// on downwards until the rule holds.
struct PrefsConstraint: Sendable {
    let paths: [PrefsPath]
    /// What is wrong with the values in force in a snapshot; `nil` accepts.
    let complaint: @Sendable (PrefsSnapshot) -> String?
    /// The heights of the values in force.
    let heights: @Sendable (PrefsSnapshot) -> [Int]
}

/// What a constraint refuses in one snapshot.
struct ConstraintRefusal: Sendable, Equatable {
    let paths: [PrefsPath]
    /// The reason by height of the layer whose candidates are refused.
    var reasons: [Int: String] = [:]
}

extension PrefsSnapshot {
    /// This snapshot with everything refused that breaks a constraint.
    func applying(_ constraints: [PrefsConstraint]) -> PrefsSnapshot {
        constraints.reduce(self) { $0.applying($1) }
    }

    private func applying(_ constraint: PrefsConstraint) -> PrefsSnapshot {
        var refusal = ConstraintRefusal(paths: constraint.paths)
        var result = self
        while let reason = constraint.complaint(result), let top = constraint.heights(result).max() {
            refusal.reasons[top] = reason
            result = adding(refusal)
        }
        return result
    }

    private func adding(_ refusal: ConstraintRefusal) -> PrefsSnapshot {
        PrefsSnapshot(
            generation: generation, parts: state.parts, locks: state.locks, refusals: state.refusals + [refusal])
    }

    /// Why a constraint refuses a layer's candidate for a path.
    func refusal(of path: PrefsPath, at height: Int) -> String? {
        for refusal in state.refusals where refusal.paths.contains(path) {
            if let reason = refusal.reasons[height] { return reason }
        }
        return nil
    }
}

extension LayeredPrefsStorage {
    /// Refuses values of several keys together where a rule over all of them is broken: those of the highest
    /// layer that contributes, then of the next, until the rule holds. Defaults are not checked.
    ///
    /// - Parameter rule: Says what is wrong as a phrase, `expected the minimum below the maximum`; `nil`
    ///   accepts. Called on any thread, under the stack's lock: it must not use the stack.
    public func constrain<each Key: PersistentKeyProtocol>(
        _ keys: repeat each Key, by rule: @escaping @Sendable (repeat (each Key).Value) -> String?
    ) {
        var paths: [PrefsPath] = []
        for key in repeat each keys { paths.append(PrefsPath(key.id)) }
        let constraint = PrefsConstraint(
            paths: paths,
            complaint: { snapshot in rule(repeat snapshot.get(each keys)) },
            heights: { snapshot in
                var heights: [Int] = []
                for key in repeat each keys { heights += [snapshot.winningHeight(of: key)].compactMap(\.self) }
                return heights
            })
        committing.withLock { $0.constraints.append(constraint) }
        commit()
        for key in repeat each keys { declare(key) }
    }
}

extension PrefsSnapshot {
    /// The height of the layer that a key's value comes from; `nil` for the default.
    fileprivate func winningHeight(of key: some PersistentKeyProtocol) -> Int? {
        let lock = lock(on: key.name)
        return candidatesByHeight(for: key.name).first { candidate, height in
            guard height <= lock?.height ?? .max else { return false }
            if case .success = key.read(candidate) { return true } else { return false }
        }?.height
    }
}
