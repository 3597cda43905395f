import PrefsDocuments
extension PrefsTransition {
    /// Whether all that differs at some paths was written by an observer that asked not to be told of it.
    ///
    /// - Parameter paths: What the observer observes; `nil` is everything.
    func isEcho(for observer: ObserverID, at paths: [PrefsPath]?) -> Bool {
        let isAuthor = new.state.parts.contains { $0.source.author?.observer == observer }
        guard isAuthor else { return false }
        let paths = paths ?? [PrefsPath(components: [])]
        let rules = Self.changedRules(from: old, to: new)
        guard !rules.contains(where: { $0.meets(paths) }) else { return false }
        var (isTouched, isOwn) = (false, true)
        Self.forEachDifference(from: old, to: new) { place, before, after in
            guard isOwn, place.meets(paths) else { return }
            isTouched = true
            guard let author = after.author, author.observer == observer else { return isOwn = false }
            isOwn = paths.filter { place.meets([$0]) }.allSatisfy { observed in
                author.covers(place) || author.covers(observed)
                    || (before.places(around: place) + after.places(around: place))
                        .filter { $0.meets([observed]) }.allSatisfy(author.covers)
            }
        }
        return isTouched && isOwn
    }
}

extension PrefsPath {
    /// Whether this path is, lies above or lies beneath one of others.
    fileprivate func meets(_ others: [PrefsPath]) -> Bool {
        others.contains { $0.contains(self) || contains($0) }
    }
}
