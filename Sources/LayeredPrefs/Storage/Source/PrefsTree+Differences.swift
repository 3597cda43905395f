import PrefsDocuments

extension PrefsSource {
    /// Visits the paths at which the value, or whether the keys below are blocked, differs between two
    /// versions of a source.
    ///
    ///     {"http": {"port": 80}, "http.port": 1}
    ///     {"http": {"port": 81}, "http.port": 1}    none: the literal key hides the nested one
    ///
    ///     {"http.port": 80}
    ///     {"http": {"port": 81}}                    http and http.port
    ///
    ///     {"http": {"port": 80}}
    ///     {"http.port": 80}                         http.port: keys below are no longer blocked
    static func forEachDifference(_ old: PrefsSource, _ new: PrefsSource, _ body: (PrefsPath) -> Void) {
        if old === new { return }
        if let known = knownDifferences(old, new) { return known.forEach(body) }
        // A variable's keys are not known here, so each observer compares its own.
        if old.holdsVariables || new.holdsVariables { return body(PrefsPath(components: [])) }
        let step = new.step.flatMap { $0.start == old.version ? $0 : nil }
        let isExact = step?.isExact ?? true
        let spellings = LiteralSpellings(old, new)
        var compared: Set<PrefsPath> = []
        func visit(_ path: PrefsPath) {
            // Without another spelling nearby, the contents differ there as they were compared.
            if isExact, !spellings.areAny(near: path) {
                body(path)
            } else {
                PrefsTree.forEachDifference(old.tree, new.tree, around: path, compared: &compared, body)
            }
        }
        if let step {
            step.paths.forEach(visit)
        } else {
            PrefsContent.forEachDifference(old.root, new.root, visit)
        }
    }

    /// Returns the paths at which two versions of a source differ, if the step between them recorded exactly
    /// these, and no other spelling of the same keys can hide a difference.
    static func knownDifferences(_ old: PrefsSource, _ new: PrefsSource) -> PathList? {
        guard let step = new.step, step.isExact, step.start == old.version else { return nil }
        let spellings = LiteralSpellings(old, new)
        return step.paths.contains(where: spellings.areAny) ? nil : step.paths
    }
}

/// The literal keys of two versions of a source.
private struct LiteralSpellings {
    private let new: LiteralKeys
    /// `nil` if they are the same.
    private let old: LiteralKeys?

    init(_ old: PrefsSource, _ new: PrefsSource) {
        let (before, after) = (old.literalKeys, new.literalKeys)
        // Usually one is a copy of the other, which is found without comparing the names.
        (self.new, self.old) = (after, before == after ? nil : before)
    }

    /// Returns true if a literal key of either version is a path, lies below it, or above it.
    func areAny(near path: PrefsPath) -> Bool {
        new.areAny(near: path) || old?.areAny(near: path) == true
    }
}

extension PrefsTree {
    /// Compares the places around a path, because another spelling of the same value is no difference, and
    /// one spelling may hide the other.
    ///
    /// - Parameter compared: The literal keys above the paths so far, each of which is compared once, however
    ///   many paths lie below it.
    fileprivate static func forEachDifference(
        _ old: PrefsTree, _ new: PrefsTree, around path: PrefsPath, compared: inout Set<PrefsPath>,
        _ body: (PrefsPath) -> Void
    ) {
        let above = path.ancestors.filter { old.hasLiteralSpelling($0) || new.hasLiteralSpelling($0) }
        var places: Set<PrefsPath> = [path]
        if !old.hasNothingBelow(path) || !new.hasNothingBelow(path) || !above.isEmpty {
            places.formUnion(old.leaves(below: path))
            places.formUnion(new.leaves(below: path))
        }
        places.formUnion(above.filter { compared.insert($0).inserted })
        for place in places where !old.says(sameAs: new, at: place) { body(place) }
    }

    private func hasNothingBelow(_ path: PrefsPath) -> Bool {
        !literalKeys.areAny(below: path) && nested(path)?.kind != .dictionary
    }

    /// Returns every path at or below a path at which the tree has a value, in either spelling.
    func leaves(below path: PrefsPath) -> [PrefsPath] {
        var leaves: [PrefsPath] = []
        forEachLeaf(below: path) { leaves.append($0) }
        return leaves
    }

    /// Visits the paths of ``leaves(below:)``.
    func forEachLeaf(below path: PrefsPath, _ body: (PrefsPath) -> Void) {
        literalKeys.below(path).forEach(body)
        if hasLiteralSpelling(path) { body(path) }
        nested(path)?.forEachLeaf(at: path, body)
    }

    private func says(sameAs other: PrefsTree, at path: PrefsPath) -> Bool {
        hasSameValue(as: other, at: path)
            && (!path.isNested || bar(at: path) == other.bar(at: path))
    }

    private func hasSameValue(as other: PrefsTree, at path: PrefsPath) -> Bool {
        // A dictionary may be the whole file, so it is decoded only if it is assembled from several places.
        if let mine = literalDictionary(at: path), let others = other.literalDictionary(at: path) {
            return mine.hasSameContent(as: others)
        }
        return LocatedValue.haveSameValue(value(at: path), other.value(at: path))
    }

    /// The dictionary of a literal key, if that is all that the value of the path consists of.
    private func literalDictionary(at path: PrefsPath) -> PrefsContent? {
        guard path.isNested, let content = root[path.name], content.kind == .dictionary,
            !literalKeys.areAny(below: path), !hasCandidates
        else { return nil }
        return content
    }

    /// Returns the kind of a non-dictionary that blocks the keys below a path, even if a literal key hides it
    /// from readers of the path.
    private func bar(at path: PrefsPath) -> PrefsValue.Kind? {
        nested(path).flatMap { $0.kind == .dictionary ? nil : $0.kind }
    }

    func nested(_ path: PrefsPath) -> PrefsContent? {
        var content: PrefsContent? = root
        for key in path.components { content = content?[key] }
        return content
    }
}
