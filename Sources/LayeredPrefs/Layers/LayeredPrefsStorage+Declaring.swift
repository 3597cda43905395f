import PrefsSystem
import PrefsDocuments
import Dispatch

extension LayeredPrefsStorage {
    /// Declares keys by name, so that keys that no schema declares can be reported as unknown.
    ///
    /// Any number of schemas may share the stack: a key is unknown if none of them declares it. The first
    /// check runs one second after the last declaration, later ones at every commit. ``reportUnknownKeys()``
    /// checks at once.
    package func declare(_ names: [PrefsKeyName]) {
        note(names)
        let round = committing.withLock { state in
            state.declarations += 1
            return state.declarations
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            let isLast = self?.committing.withLock { $0.declarations == round }
            if isLast == true { self?.reportUnknownKeys() }
        }
    }

    /// Records keys with all their names, to which locks and environment variables apply.
    package func note(_ names: [PrefsKeyName]) {
        let (contested, didChange) = committing.withLock { state in
            let count = state.known.names.count
            let prefixes = committedSnapshot.variablePrefixes
            let contested = names.flatMap { state.known.insert($0, prefixes: prefixes) }
            return (contested, state.known.names.count > count)
        }
        for variable in contested {
            let reason = "several keys map to this variable, so it is ignored; set `environmentName` on one"
            diagnostics.report(.error, PrefsError(.invalid, key: variable, reason: reason))
        }
        if didChange { commit() }
    }

    /// Reports each key and variable that no schema declares, or that is a former name, with its location and
    /// the most similar declared key.
    ///
    /// Each is reported once, and again only if it disappears and comes back.
    public func reportUnknownKeys() {
        let errors = committing.withLock { $0.unknownKeys(in: committedSnapshot) }
        for error in errors { diagnostics.report(.warning, error) }
    }
}

extension LayeredPrefsStorage.CommitState {
    /// Returns ``unknownKeys(in:)`` once the first check has run, and nothing before, so that the keys of
    /// schemas that are created one after another are not reported.
    mutating func unknownKeysIfChecked(in snapshot: PrefsSnapshot) -> [PrefsError] {
        isChecked ? unknownKeys(in: snapshot) : []
    }

    /// Returns an error for each unknown key that has not been reported.
    mutating func unknownKeys(in snapshot: PrefsSnapshot) -> [PrefsError] {
        guard declarations > 0 else { return [] }
        isChecked = true
        var present: Set<KnownKeys.Unknown.Place> = []
        var errors: [PrefsError] = []
        for (part, unknown) in zip(snapshot.state.parts, unknownKeys(of: snapshot.state.parts)) {
            for unknown in unknown where present.insert(unknown.place).inserted {
                if !reportedUnknownKeys.contains(unknown.place) {
                    errors.append(error(for: unknown, in: part))
                }
            }
        }
        reportedUnknownKeys = present
        return errors
    }

    /// Returns the unknown keys of each part; only the changed places of a part are checked again.
    private mutating func unknownKeys(of parts: [PrefsSnapshot.Part]) -> [[KnownKeys.Unknown]] {
        let before = checkedParts.filter { $0.count == known.names.count }
        checkedParts = parts.map { part in
            let (source, step) = (part.source, part.source.step)
            let earlier = before.first { $0.layer == part.layer && $0.version == source.version }
            if let earlier { return earlier }
            let previous = before.first { $0.layer == part.layer && $0.version == step?.start }
            let unknown =
                if let previous, let step {
                    known.unknown(in: part, after: previous.unknown, changing: step.paths)
                } else {
                    known.unknown(in: part)
                }
            return LayeredPrefsStorage.CheckedPart(
                layer: part.layer, version: source.version, count: known.names.count, unknown: unknown)
        }
        return checkedParts.map(\.unknown)
    }

    private func error(for unknown: KnownKeys.Unknown, in part: PrefsSnapshot.Part) -> PrefsError {
        var variables: EnvironmentVariables?
        if case .variables(let environment) = part.source.form { variables = environment }
        if let present = unknown.presentName {
            return PrefsError(
                .unknownKey, key: unknown.key, origin: unknown.origin, reason: "renamed to “\(present)”")
        }
        let nearest = known.nearest(to: unknown, variables: variables)
        let hint = nearest.map { "; did you mean “\($0)”?" } ?? ""
        return PrefsError(
            .unknownKey, key: unknown.key, origin: unknown.origin, reason: "unknown key\(hint)")
    }
}

extension PrefsSnapshot {
    fileprivate var variablePrefixes: Set<String> {
        Set(
            state.parts.compactMap { part in
                if case .variables(let variables) = part.source.form { variables.prefix } else { nil }
            })
    }
}
