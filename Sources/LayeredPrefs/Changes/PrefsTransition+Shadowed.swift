import PrefsSystem
import PrefsDocuments
extension PrefsTransition {
    /// Returns the paths whose effective value is unchanged although some layer's value, or a lock, changed.
    ///
    /// The dirty paths are only the highest ones that differ, so other layers' keys below them may not have
    /// changed at all and must be left out. If the system file gains `{"http": {"port": 1, "tls": true}}`,
    /// the dirty path is `http`:
    ///
    /// | key         | `user`  | `system`     | result                                  |
    /// |-------------|---------|--------------|-----------------------------------------|
    /// | `http.port` | 2       | `nil` → 1    | shadowed                                |
    /// | `http.host` | `"b"`   |              | left out: unchanged in every layer      |
    /// | `http.tls`  |         | `nil` → true | a change, so not among `paths`          |
    ///
    /// - Parameters:
    ///   - paths: The paths whose effective values are unchanged.
    ///   - leaves: The keys that any layer has, or had, at or below a dirty path.
    func shadowed(among paths: [PrefsPath], _ leaves: Set<String>) -> [PrefsPath] {
        if paths.isEmpty { return [] }
        let claims = Set(Self.changedClaims(from: old, to: new))
        let sources = Self.changedSources(from: old, to: new)
        return paths.filter { path in
            let isLeaf = leaves.contains(path.name)
            if isLeaf, claims.contains(path) || hasChangedLock(on: path) { return true }
            guard
                sources.contains(where: { $1.differs(than: $0, at: path) })
                    || Mutant.isActive(.shadowedKeysExaggerated)
            else { return false }
            return isLeaf || [old, new].contains { $0.hasValue(of: path) }
        }
    }

    private func hasChangedLock(on path: PrefsPath) -> Bool {
        old.lock(on: path)?.height != new.lock(on: path)?.height && !Mutant.isActive(.newLockUnnoticed)
    }
}

extension PrefsSource {
    /// A source's value for a key itself, without what lies below it.
    fileprivate struct Entry: Equatable {
        var value: PrefsValue?
        /// The reason why the key is blocked.
        var reason: String?
    }

    /// Returns true if two sources differ at a path. The same value in another spelling is no difference.
    fileprivate func differs(than other: PrefsSource, at path: PrefsPath) -> Bool {
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
        // Literal keys may still make up a value, in which case there is no rejection.
        case .blocked: entry.reason = candidate(for: path, layer: nil)?.rejection?.reason
        case .absent: break
        }
        return entry
    }

    /// Returns true if nothing lies below a path, neither in the dictionary nor in literal keys.
    private func isEmpty(_ dictionary: PrefsContent, at path: PrefsPath) -> Bool {
        dictionary.count == 0 && literalKeys.below(path).isEmpty
    }

    private func isLiteral(_ path: PrefsPath) -> Bool { path.isNested && root[path.name] != nil }
}

extension PrefsSnapshot {
    /// Returns true if any source has a value at a path itself.
    fileprivate func hasValue(of path: PrefsPath) -> Bool {
        state.parts.contains { part in
            guard case .variables(let variables) = part.source.form else {
                return part.source.entry(at: path).value != nil
            }
            return state.claims.keys(setBy: variables).contains(path.name)
        }
    }
}
