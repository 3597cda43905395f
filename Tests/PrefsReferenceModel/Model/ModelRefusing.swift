extension ModelStack {
    /// Decides what of the newest contents takes effect in a running program, and returns what it reports: each
    /// problem of a refused version once, and its recovery once.
    ///
    /// What is refused stays as it was in force. Where the unit is the key, that is a wrong value; elsewhere it is all
    /// files of the layer that have changed. What was refused before is offered again; if there is a problem with it,
    /// the rest is tried without it. Problems that the contents in force have as well refuse nothing.
    mutating func decide(since before: ModelStack) -> [ModelDiagnostic] {
        let newest = withoutRefusals.snapshot
        if let decided = before.decided, decided.isSame(as: newest) { return [] }
        decided = newest
        if mutations.contains(.nothingIsRefused) { return [] }
        var search = ModelRefusalSearch(newest: withoutRefusals, before: before)
        if mutations.contains(.refusedIsNotTriedAgain) { search.refuseUnchanged() }
        while search.refuseMore() {}
        refusals = search.stack.refusals
        for place in before.refusals.versions.keys
        where refusals.versions[place] == nil && before.file(at: place)?.lastGood == file(at: place)?.lastGood
        {
            tally.hit(.refusedIsTriedAgain)
        }
        let (files, newFiles) = (before, self)
        return refusals.diagnostics(since: before.refusals, tally) {
            (files.file(at: $0)?.lastGood).isSameTree(as: newFiles.file(at: $0)?.lastGood)
        }
    }

    /// The same files and values, all of which take effect.
    var withoutRefusals: ModelStack {
        var stack = self
        stack.refusals = ModelRefusals()
        return stack
    }

    /// Returns the keys, or parts of keys, whose values are wrong after some writes, which are stored but not decided
    /// on, although they were not before.
    ///
    /// What is refused stays refused, except in the files that are written, and there only at the paths that are.
    func problems(ofWritesTo layers: Set<Int>, since before: ModelStack) -> [String] {
        var (candidate, mended) = (self, false)
        for index in layers {
            guard let place = writtenPlace(of: index) else { continue }
            if mutations.contains(.refusedVersionIsOverwritten), candidate.refusals.versions[place] != nil {
                continue
            }
            if candidate.refusals.versions.removeValue(forKey: place) != nil { mended = true }
            let changed = changedPaths(at: place, since: before)
            let kept = candidate.refusals.kept[place] ?? []
            let (old, newest) = (before.file(at: place)?.lastGood, file(at: place)?.lastGood)
            let written = kept.filter { kept in
                let literal = kept.path.description
                return changed.contains {
                    kept.path.covers($0)
                        || newest.blocks(kept.path, at: $0)
                            && (newest.value(at: kept.path) == nil || old?[literal] != newest?[literal])
                }
            }
            candidate.refusals.kept[place] = kept.filter { kept in
                !written.contains { $0.path.covers(kept.path) }
            }
        }
        var (inForce, after) = (before.snapshot, candidate.snapshot)
        // The keys that a write adds are locked, too, if the locks cannot be read; locks uncover nothing new.
        after.locks = Array(Set(inForce.locks + after.locks))
        inForce.locks = after.locks
        let known = inForce.wrongValues
        // What a write uncovers in another layer was wrong before.
        let names = layers.map { self.layers[$0].name }
        let wrong = after.wrongValues.filter { new in
            names.contains(new.layer) && !before.refusals.isKnown(new, among: known)
        }
        let groups = after.brokenGroups(since: inForce)
        if candidate.refusals.kept.contains(where: { !$0.value.isEmpty }) {
            tally.hit(.keptValueStaysOnWrite)
        }
        if mended, wrong.isEmpty, groups.isEmpty { tally.hit(.writeMendsVersion) }
        return Set(wrong.map(\.key) + groups.map(\.problemName)).sorted()
    }

    /// The same stack with the newest version of the file that takes a write, which is what is edited.
    func withNewestVersion(takingThe write: ModelWrite) -> ModelStack {
        guard let place = target(of: write).flatMap(writtenPlace) else { return self }
        var stack = self
        stack.refusals.versions[place] = nil
        return stack
    }

    private func changedPaths(at place: ModelPlace, since before: ModelStack) -> [ModelPath] {
        (before.file(at: place)?.lastGood).changedPaths(to: file(at: place)?.lastGood)
    }

    /// The place of the file that takes a layer's writes; `nil` if it has none.
    func writtenPlace(of index: Int) -> ModelPlace? {
        guard layers[index].kind == .files, let directory = layers[index].writeDirectory else { return nil }
        return ModelPlace(layer: layers[index].name, directory: directory)
    }

    /// Returns true if a layer has a file, or would have one in a fixed place.
    fileprivate func hasFile(at place: ModelPlace) -> Bool {
        place.file == ModelPlace.mainFile || file(at: place)?.lastGood != nil
    }

    /// The height of a file's values, above that of its layer's locks if they apply to the file's directory.
    fileprivate func height(of place: ModelPlace) -> Int {
        guard let index = index(ofLayer: place.layer) else { return 0 }
        let directory = layers[index].directories.first { $0.name == place.directory }
        let isAbove =
            directory?.trustsLocks == false && layers[index].directories.contains(where: \.trustsLocks)
        return Self.height(of: index) + (isAbove ? 1 : 0)
    }

    /// Returns the newest version of a file.
    func file(at place: ModelPlace) -> ModelFile? {
        index(ofLayer: place.layer).flatMap { layers[$0][place] }
    }
}

extension ModelGroup {
    /// The name under which a violation is reported.
    var problemName: String { keys.joined(separator: ", ") }
}

extension [String: ModelValue]? {
    /// Returns true if two versions of a file have the same values by key path, however it spells them.
    fileprivate func isSameTree(as other: Self) -> Bool { self == other || changedPaths(to: other).isEmpty }

    /// Returns the value at a path.
    fileprivate func value(at path: ModelPath) -> ModelValue? { source.value(at: path) }

    fileprivate func changedPaths(to other: Self) -> [ModelPath] {
        let (old, new) = (source, other.source)
        return Set(old.pathsSet + new.pathsSet).filter { old.value(at: $0) != new.value(at: $0) }
    }

    /// Returns true if something that is no dictionary stands at a path above another one, which then has at most the
    /// value of a literal key.
    fileprivate func blocks(_ path: ModelPath, at above: ModelPath) -> Bool {
        guard above.isAncestor(of: path), let found = source.value(at: above) else { return false }
        return found.entries == nil
    }

    private var source: ModelSource {
        ModelSource(layer: 0, layerName: "", name: "", entries: self ?? [:], isText: false)
    }
}

/// The search for what has to be refused, so that the rest has no problem that the contents in force do not have.
private struct ModelRefusalSearch {
    /// The newest contents, with what has to be refused according to the search so far.
    var stack: ModelStack
    let before: ModelStack
    private let newest: ModelSnapshot
    /// The contents in force, under the locks of the contents that are tried. Locks take effect at once, so what they
    /// uncover in the contents in force is not new.
    private var inForce: ModelSnapshot
    /// The problems that the contents in force have.
    private var known: [ModelProblem]
    private let filesInForce: [ModelLayer]
    /// The files that have another version than the one in force.
    private let changed: Set<ModelPlace>

    init(newest: ModelStack, before: ModelStack) {
        (stack, self.before) = (newest, before)
        self.newest = newest.snapshot
        inForce = before.snapshot
        known = inForce.wrongValues
        filesInForce = before.refusals.applied(to: before.layers)
        let filesInForce = filesInForce
        changed = Set(
            newest.layers.enumerated().flatMap { index, layer in
                layer.places.filter {
                    !(layer[$0]?.lastGood).isSameTree(as: filesInForce[index][$0]?.lastGood)
                }
            })
    }

    /// Refuses what was refused before without trying it.
    mutating func refuseUnchanged() {
        stack.refusals.versions = before.refusals.versions.filter { isUnchanged($0.key) }
    }

    private var tally: ModelTally { stack.tally }
    private var mutations: Set<ModelMutation> { stack.mutations }

    /// Refuses something that has a problem; returns false if there is nothing else to refuse.
    mutating func refuseMore() -> Bool {
        if changed.isEmpty { return false }
        let candidate = stack.snapshot
        if inForce.locks != candidate.locks {
            inForce.locks = candidate.locks
            known = inForce.wrongValues
        }
        let all = candidate.wrongValues
        let new = all.filter { [known, before] in !before.refusals.isKnown($0, among: known) }
        let wrong = mutations.contains(.oldProblemsRefuse) ? all : new
        if wrong.count < all.count { tally.hit(.oldProblemRefusesNothing) }
        let groups = candidate.brokenGroups(since: inForce)
        if wrong.isEmpty, groups.isEmpty { return false }
        if keepValues(wrong) { return true }
        if refuseAgain(wrong, groups) { return true }
        return refuseVersions(wrong, groups)
    }

    private func layer(_ name: String) -> ModelLayer? { stack.layers.first { $0.name == name } }

    // MARK: Values

    /// Keeps the accepted values of the keys, under all of their names, where the unit is the key.
    private mutating func keepValues(_ wrong: [ModelProblem]) -> Bool {
        var isNew = false
        let kept = stack.refusals.kept
        for problem in wrong {
            guard let layer = layer(problem.layer), layer.kind == .files,
                !layer.isRefusedAsOne || mutations.contains(.eachValueIsRefusedAlone),
                let place = layer.places.first(where: { $0.source == problem.source }),
                // What is kept may be wrong itself, if it was hidden before; that is no reason why the newest is refused.
                kept[place]?.contains(where: { $0.path.covers(problem.path) }) != true,
                // What was hidden before is wrong, but no new value.
                changes(problem.path, at: place),
                holdsValue(at: problem.path, of: place, isBarred: problem.isBarred)
                    || problem.otherPaths.contains(where: { holdsValue(at: $0, of: place, isBarred: false) })
            else { continue }
            if known.contains(where: { $0.isAtPlace(of: problem) }) { continue }
            for path in [problem.path] + problem.otherPaths where keep(path, of: place, problem) {
                isNew = true
            }
        }
        return isNew
    }

    /// Returns true if a file has a value in force at a path, or a dictionary if something may bar the path there.
    private func holdsValue(at path: ModelPath, of place: ModelPlace, isBarred: Bool) -> Bool {
        guard let held = inForce.value(at: path, of: place) else { return false }
        return held.entries != nil || !isBarred
    }

    /// Keeps what is in force at a path, unless that is what the newest version has there.
    private mutating func keep(_ path: ModelPath, of place: ModelPlace, _ problem: ModelProblem) -> Bool {
        // A drop-in that is gone has no newer value, and so keeps none.
        if !stack.hasFile(at: place) || !changes(path, at: place) { return false }
        let held = inForce.value(at: path, of: place)
        let kept = stack.refusals.kept[place] ?? []
        if kept.contains(where: { $0.path == path && $0.problem == problem }) { return false }
        stack.refusals.kept[place, default: []].append(
            ModelKeptValue(path: path, inForce: held, problem: problem))
        return !kept.contains { $0.path.covers(path) }
    }

    // MARK: Versions

    /// Refuses, of the versions that some problems concern, those that were refused before.
    private mutating func refuseAgain(_ wrong: [ModelProblem], _ groups: [ModelGroup]) -> Bool {
        if mutations.contains(.refusedBlocksOthers) { return false }
        var isNew = false
        for place in places(concernedBy: wrong, groups) where isUnchanged(place) {
            guard stack.refusals.versions[place] == nil, let version = before.refusals.versions[place] else {
                continue
            }
            stack.refusals.versions[place] = version
            isNew = true
            tally.hit(.refusedBlocksNothingElse)
        }
        for group in groups {
            for (place, values) in before.refusals.kept {
                for value in values where value.problem.key == group.problemName {
                    // A value that is kept above it is refused with it.
                    let paths = values.map(\.path).filter { $0.covers(value.path) }
                    guard paths.allSatisfy({ isUnchanged($0, at: place) }) else { continue }
                    if keep(value.path, of: place, value.problem) { isNew = true }
                }
            }
        }
        return isNew
    }

    private func isUnchanged(_ place: ModelPlace) -> Bool {
        (before.file(at: place)?.lastGood).isSameTree(as: stack.file(at: place)?.lastGood)
    }

    private func isUnchanged(_ path: ModelPath, at place: ModelPlace) -> Bool {
        before.file(at: place)?.lastGood.value(at: path) == stack.file(at: place)?.lastGood.value(at: path)
    }

    private mutating func refuseVersions(_ wrong: [ModelProblem], _ groups: [ModelGroup]) -> Bool {
        var isNew = false
        for place in places(concernedBy: wrong, groups) where stack.refusals.versions[place] == nil {
            if groups.contains(where: { changes($0, in: place.layer) }) { tally.hit(.groupRefusesVersion) }
            let problems =
                wrong.filter { $0.layer == place.layer }
                + groups.filter { changes($0, in: place.layer) }.map {
                    problem(of: $0, in: place.layer, orIn: place)
                }
            if before.refusals.versions[place] == nil, changedFiles(of: place.layer).count > 1 {
                tally.hit(.filesAreRefusedTogether)
            }
            stack.refusals.versions[place] = ModelRefusedVersion(
                inForce: filesInForce[stack.index(ofLayer: place.layer) ?? 0][place]?.lastGood,
                newest: stack.file(at: place)?.lastGood, problems: problems)
            isNew = true
        }
        for group in groups {
            for layer in stack.layers where layer.kind == .files && !layer.isRefusedAsOne {
                for place in layer.places where changed.contains(place) {
                    for path in group.paths where changes(path, at: place) {
                        guard keep(path, of: place, problem(of: group, at: place)) else { continue }
                        tally.hit(.groupKeepsValue)
                        isNew = true
                    }
                }
            }
        }
        return isNew
    }

    /// Returns the problem of a constraint at the topmost file that changes one of its keys; at the refused one if that
    /// has been removed.
    private func problem(of group: ModelGroup, in layer: String, orIn place: ModelPlace) -> ModelProblem {
        let top = changedFiles(of: layer).last { place in
            stack.hasFile(at: place) && group.paths.contains { changes($0, at: place) }
        }
        return problem(of: group, at: top ?? place)
    }

    private func problem(of group: ModelGroup, at place: ModelPlace) -> ModelProblem {
        let origin = ModelOrigin(layer: place.layer, source: place.source, name: "", spelling: .literal)
        return ModelProblem(key: group.problemName, origin: origin, reason: .group(group.name))
    }

    /// Returns the files that are refused for some problems, where the unit is the version: all of a layer that have
    /// changed.
    private func places(concernedBy wrong: [ModelProblem], _ groups: [ModelGroup]) -> [ModelPlace] {
        stack.layers.filter(\.isRefusedAsOne).flatMap { layer -> [ModelPlace] in
            let isConcerned =
                wrong.contains { $0.layer == layer.name } || groups.contains { changes($0, in: layer.name) }
            guard isConcerned else { return [] }
            if mutations.contains(.filesAreRefusedAlone) {
                return changedFiles(of: layer.name).filter { place in
                    wrong.contains { $0.source == place.source }
                }
            }
            return changedFiles(of: layer.name)
        }
    }

    private func changedFiles(of layer: String) -> [ModelPlace] {
        (self.layer(layer)?.places ?? []).filter(changed.contains)
    }

    /// Returns true if a changed file of a layer gives a key of a constraint another value, or none any more.
    private func changes(_ group: ModelGroup, in layer: String) -> Bool {
        changedFiles(of: layer).contains { place in group.paths.contains { changes($0, at: place) } }
    }

    private func changes(_ path: ModelPath, at place: ModelPlace) -> Bool {
        // What a lock keeps a file from setting is the same in all of its versions.
        guard newest.mayRead(path, from: stack.height(of: place)) else { return false }
        return newest.value(at: path, of: place) != inForce.value(at: path, of: place)
    }
}

extension ModelGroup {
    fileprivate var paths: [ModelPath] { keys.map { ModelPath($0) } }
}

extension ModelRefusals {
    /// Returns what to report when these refusals follow others.
    ///
    /// A value of an unchanged file is not reported again because another name of its key has come to count.
    fileprivate func diagnostics(
        since old: ModelRefusals, _ tally: ModelTally, isUnchanged: (ModelPlace) -> Bool
    ) -> [ModelDiagnostic] {
        var found: Set<ModelDiagnostic> = []
        for (place, version) in versions {
            tally.hit(.versionIsRefused)
            let before =
                old.versions[place].flatMap { $0.newest.isSameTree(as: version.newest) ? $0.problems : nil }
                ?? []
            for problem in version.problems {
                if before.contains(where: { $0.isSame(as: problem) }) {
                    tally.hit(.refusedVersionIsReportedOnce)
                } else {
                    found.insert(problem.diagnostic(isVersion: true))
                }
            }
        }
        for (place, values) in kept {
            tally.hit(.valueIsKept)
            let before = (old.kept[place] ?? []).map(\.problem)
            let isUnchanged = isUnchanged(place)
            for value in values
            where !before.contains(where: {
                $0.isSame(as: value.problem) || isUnchanged && $0.hasSameKeyAndKind(as: value.problem)
            }) {
                found.insert(value.problem.diagnostic(isVersion: false))
            }
        }
        for place in old.wrongPlaces.subtracting(wrongPlaces) {
            tally.hit(.refusedVersionRecovers)
            found.insert(.versionRecovered(place))
        }
        for (place, values) in old.kept {
            let after = (kept[place] ?? []).map(\.problem.key)
            for value in values where !after.contains(value.problem.key) {
                tally.hit(.keptValueRecovers)
                found.insert(.recovered(key: value.problem.key, value.problem.origin))
            }
        }
        return Array(found)
    }

    /// The layers and sources in which the values stand for which versions are refused.
    private var wrongPlaces: Set<[String]> {
        Set(versions.values.flatMap { $0.problems.map { [$0.layer, $0.source] } })
    }
}
