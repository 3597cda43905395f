import PrefsDocuments

/// What a source had at a path, and keeps in a newer revision that has a wrong value there.
struct KeptValue: Sendable {
    let path: PrefsPath
    /// `nil` if the source had nothing.
    let content: PrefsContent?
}

extension PrefsSource {
    /// A newer revision in which some earlier values stay in the place of wrong ones.
    struct Mended: Sendable {
        /// The newer revision as it was read.
        let original: PrefsSource
        let kept: [KeptValue]
    }

    /// The revision as it was read.
    var original: PrefsSource { mended?.original ?? self }

    /// Returns this revision with earlier values in the place of some of its own.
    ///
    /// They are in the place of everything at and below their paths, and a dictionary in which nothing is left is gone.
    func keeping(_ values: [KeptValue]) -> PrefsSource {
        if values.isEmpty { return self }
        var overlay = overlay ?? .empty
        for value in values { overlay = overlay.keeping(value.content, at: value.path) }
        return PrefsSource(
            spelled, file: file, isAbsent: isAbsent, isText: isText, cause: cause, overlay: overlay,
            mended: Mended(original: self, kept: values))
    }
}

extension PrefsSource {
    /// Returns a revision that a write of the program leads to, in which the values stay that are kept in the active one and
    /// that the write does not set.
    ///
    /// - Parameter paths: More paths that are written.
    func keepingUnwritten(of active: PrefsSource, butAt paths: [PrefsPath] = []) -> PrefsSource {
        guard let mended = active.mended else { return self }
        let old = mended.original
        let written = Self.differences(old, self)
        return keeping(
            mended.kept.filter { kept in
                if written.contains(where: { kept.path.contains($0) }) { return false }
                if paths.contains(where: { $0.contains(kept.path) || kept.path.contains($0) }) {
                    return false
                }
                let (before, after) = (old.tree.value(at: kept.path), tree.value(at: kept.path))
                // A write that takes away what blocks the path does not set it.
                return LocatedValue.haveSameValue(before, after) || after == nil && before?.isRejected == true
            })
    }
}
