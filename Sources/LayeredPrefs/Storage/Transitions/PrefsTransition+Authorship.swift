import PrefsDocuments
extension PrefsTransition {
    /// Returns true if everything that differs at an observer's paths was written by that observer, which
    /// asked not to be notified of it.
    ///
    /// A difference can lie above the written path: the first write of `http.port` to an empty file creates
    /// the whole dictionary `http`. It is the observer's own if the observer wrote all values at, below and
    /// above it that its paths cover. For an observer of `http` that wrote `http.port`:
    ///
    /// | differs                                                      | echo |
    /// |--------------------------------------------------------------|------|
    /// | `http`, which now is `{"port": 1}`                           | yes  |
    /// | `http.port`, and `http.host` in the same or another file     | no   |
    /// | `http.port`, and `log.level` in any file                     | yes  |
    /// | `http.port`, and a lock, constraint or contested variable at `http` | no |
    /// | nothing at `http`                                            | no   |
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - paths: The paths it observes; `nil` for everything.
    func isEcho(for observer: ObserverID, at paths: [PrefsPath]?) -> Bool {
        let isAuthor = new.state.parts.contains { $0.source.author?.observer == observer }
        guard isAuthor else { return false }
        let paths = paths ?? [PrefsPath(components: [])]
        let rules = Self.changedRules(from: old, to: new)
        guard !rules.contains(where: { $0.overlaps(paths) }) else { return false }
        var (isTouched, isOwn) = (false, true)
        Self.forEachDifference(from: old, to: new) { place, before, after in
            guard isOwn, place.overlaps(paths) else { return }
            isTouched = true
            guard let author = after.author, author.observer == observer else { return isOwn = false }
            isOwn = paths.filter { place.overlaps([$0]) }.allSatisfy { observed in
                author.covers(place) || author.covers(observed)
                    || (before.places(around: place) + after.places(around: place))
                        .filter { $0.overlaps([observed]) }.allSatisfy(author.covers)
            }
        }
        return isTouched && isOwn
    }
}

extension PrefsPath {
    /// Returns true if this path equals one of the others, or lies above or below it.
    fileprivate func overlaps(_ others: [PrefsPath]) -> Bool {
        others.contains { $0.contains(self) || contains($0) }
    }
}
