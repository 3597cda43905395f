import PrefsDocuments

/// A value that a source keeps from its active revision, because the newer revision has a wrong value at the path.
struct KeptValue: Sendable {
    let path: PrefsPath
    /// The active content; `nil` if there was none.
    let content: PrefsContent?
}

extension PrefsSource {
    /// A newer revision with some earlier values in place of its wrong ones.
    struct Mended: Sendable {
        /// The newer revision as it was read.
        let original: PrefsSource
        let kept: [KeptValue]
    }

    /// The revision as it was read.
    var original: PrefsSource { mended?.original ?? self }

    /// Returns this revision with some earlier values.
    ///
    /// Each value replaces everything at and below its path. Dictionaries that become empty are removed.
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
    /// Returns a written revision with the values that the active revision keeps, except those that the write sets.
    ///
    /// - Parameter paths: Further written paths.
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
                // A write that removes a blocking value above the path does not set the path.
                return LocatedValue.haveSameValue(before, after) || after == nil && before?.isRejected == true
            })
    }
}
