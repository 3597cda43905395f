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
        guard mayBeEcho else { return false }
        let isAuthor = Self.changedSources(from: old, to: new).contains {
            $0.after.author?.observer == observer
        }
        guard isAuthor else { return false }
        let paths = paths ?? [PrefsPath(components: [])]
        let rules = Self.changedRules(from: old, to: new)
        guard !rules.contains(where: { $0.overlaps(paths) }) else { return false }
        let touched = touchedPlaces(at: paths)
        return !touched.isEmpty && touched.allSatisfy { $0.isWritten(by: observer, at: paths) }
    }

    private func touchedPlaces(at paths: [PrefsPath]) -> [TouchedPlace] {
        var places: [TouchedPlace] = []
        Self.forEachDifference(from: old, to: new) { path, before, after in
            guard path.overlaps(paths) else { return }
            places.append(TouchedPlace(path: path, before: before, after: after))
        }
        return places
    }
}

/// A path at which two versions of a source differ.
private struct TouchedPlace {
    let path: PrefsPath
    let before: PrefsSource
    let after: PrefsSource

    /// Returns true if an observer wrote everything here that some of its paths cover.
    func isWritten(by observer: ObserverID, at paths: [PrefsPath]) -> Bool {
        guard let author = after.author, author.observer == observer else { return false }
        return paths.filter { path.overlaps([$0]) }.allSatisfy { observed in
            author.covers(path) || author.covers(observed)
                || values.filter { $0.overlaps([observed]) }.allSatisfy(author.covers)
        }
    }

    /// The values around the place, before and after.
    private var values: [PrefsPath] { before.tree.places(around: path) + after.tree.places(around: path) }
}

extension PrefsPath {
    /// Returns true if this path equals one of the others, or lies above or below it.
    fileprivate func overlaps(_ others: [PrefsPath]) -> Bool {
        others.contains { $0.contains(self) || contains($0) }
    }
}
