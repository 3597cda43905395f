import PrefsSystem
import PrefsDocuments

/// A rule over several keys: what it refuses is refused together.
///
/// Minimum and maximum, certificate and key: each value may be right on its own. Where the values in force
/// break the rule, the candidates of all its keys in the most important source that contributes are refused,
/// and so on downwards until the rule holds.
struct PrefsConstraint: Sendable {
    let paths: [PrefsPath]
    /// What is wrong with the values in force in a snapshot; `nil` accepts.
    let complaint: @Sendable (PrefsSnapshot) -> String?
    /// The parts that the values in force come from.
    let contributors: @Sendable (PrefsSnapshot) -> [Int]
}

/// What a constraint refuses in one snapshot.
struct ConstraintRefusal: Sendable, Equatable {
    let paths: [PrefsPath]
    /// The reason by the part whose candidates are refused.
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
        while let reason = constraint.complaint(result), let top = constraint.contributors(result).min() {
            refusal.reasons[top] = reason
            result = adding(refusal)
        }
        return result
    }

    private func adding(_ refusal: ConstraintRefusal) -> PrefsSnapshot {
        PrefsSnapshot(
            generation: generation, parts: state.parts, locks: state.locks,
            refusals: state.refusals + [refusal],
            claims: state.claims)
    }

    /// Why a constraint refuses a part's candidate for a path.
    func refusal(of path: PrefsPath, in part: Int) -> String? {
        for refusal in state.refusals where refusal.paths.contains(path) {
            if let reason = refusal.reasons[part] { return reason }
        }
        return nil
    }
}

extension LayeredPrefsStorage {
    /// Refuses values of several keys together where a rule over all of them is broken: those of the most
    /// important file that contributes, then of the next, until the rule holds. Defaults always stand.
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
            contributors: { snapshot in
                var parts: [Int] = []
                for key in repeat each keys { parts += [snapshot.winningPart(of: key)].compactMap(\.self) }
                return parts
            })
        committing.withLock { $0.constraints.append(constraint) }
        commit()
        for key in repeat each keys { declare(key) }
    }
}

extension PrefsSnapshot {
    /// The part that a key's value comes from; `nil` for the default.
    fileprivate func winningPart(of key: some PersistentKeyProtocol) -> Int? {
        guard let origin = resolution(for: key).origin else { return nil }
        return state.parts.firstIndex { $0.layer == origin.layer && $0.source.file == origin.file }
    }
}
