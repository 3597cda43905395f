import PrefsDocuments
extension PrefsTransition {
    /// Those of some paths, whose values in force are what they were, that a layer says something else of, or that
    /// a rule holds otherwise.
    ///
    /// What is dirty is known of the highest paths only, and another layer's keys beneath one of them may be what
    /// they were.
    ///
    /// - Parameter leaves: The keys that any layer has, or had, at or beneath a dirty path.
    func shadowed(among paths: [PrefsPath], _ leaves: Set<String>) -> [PrefsPath] {
        if paths.isEmpty { return [] }
        let claims = Set(Self.changedClaims(from: old, to: new))
        let sources = Self.changedSources(from: old, to: new)
        return paths.filter { path in
            let isLeaf = leaves.contains(path.name)
            if isLeaf, claims.contains(path) || old.lock(on: path)?.height != new.lock(on: path)?.height {
                return true
            }
            guard sources.contains(where: { $1.saysOtherwise(than: $0, at: path) }) else { return false }
            return isLeaf || [old, new].contains { $0.hasValue(of: path) }
        }
    }
}

extension PrefsSource {
    /// What a source says of a key itself, whatever it says beneath.
    fileprivate struct Entry: Equatable {
        var value: PrefsValue?
        /// Why nothing can be said.
        var reason: String?
    }

    /// Another spelling of the same is no change.
    fileprivate func saysOtherwise(than other: PrefsSource, at path: PrefsPath) -> Bool {
        guard entry(at: path) != other.entry(at: path) else { return false }
        let candidates = [self, other].map { $0.candidate(for: path, layer: nil) }
        let isBarred = candidates.contains { $0?.rejection != nil }
        return isBarred || candidates[0]?.value != candidates[1]?.value
    }

    fileprivate func entry(at path: PrefsPath) -> Entry {
        var entry = Entry()
        switch find(path) {
        case .found(let content, _):
            let isWhole = content.kind != .dictionary || isEmpty(content, at: path) || isLiteral(path)
            if isWhole { entry.value = content.value }
        // Unless literal keys make it up all the same.
        case .blocked: entry.reason = candidate(for: path, layer: nil)?.rejection?.reason
        case .absent: break
        }
        return entry
    }

    /// Whether neither the dictionary nor a literal key says anything beneath.
    private func isEmpty(_ dictionary: PrefsContent, at path: PrefsPath) -> Bool {
        dictionary.count == 0 && literalKeys.beneath(path).isEmpty
    }

    private func isLiteral(_ path: PrefsPath) -> Bool { path.isNested && root[path.name] != nil }
}

extension PrefsSnapshot {
    /// Whether any source has a value at a path itself.
    fileprivate func hasValue(of path: PrefsPath) -> Bool {
        state.parts.contains { part in
            guard case .variables(let variables) = part.source.form else {
                return part.source.entry(at: path).value != nil
            }
            return state.claims.keys(setBy: variables).contains(path.name)
        }
    }
}
