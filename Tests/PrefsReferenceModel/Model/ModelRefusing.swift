extension ModelStack {
    /// Decides what of the newest contents takes effect in a running program, and returns what it reports: each
    /// problem of a refused version once, and its recovery once.
    ///
    /// What is refused stays as it was in force. Everything starts again from the newest contents each time, so what was
    /// refused before is tried again. Problems that the contents in force have as well refuse nothing.
    ///
    /// - Parameter written: What the writes of the operation lead to, which stays whatever else is new.
    mutating func decide(since before: ModelStack, over written: ModelStack? = nil) -> [ModelDiagnostic] {
        let newest = withoutRefusals.snapshot
        // A file that is masked now counts if the mask is refused.
        let hasSameFiles = zip(layers, before.layers).allSatisfy { new, old in
            !new.isRefusedAsOne
                || zip(new.directories, old.directories).allSatisfy { $0.hasSameFiles(as: $1) }
        }
        if let decided = before.decided, decided.hasSameValues(as: newest), hasSameFiles { return [] }
        decided = newest
        if mutations.contains(.nothingIsRefused) { return [] }
        var decision = ModelDecision(on: withoutRefusals, over: written ?? before)
        decision.decide()
        refusals = decision.refusals
        for place in before.refusals.versions.keys
        where refusals.versions[place] == nil && before.file(at: place)?.lastGood == file(at: place)?.lastGood
        {
            tally.hit(.refusedIsTriedAgain)
        }
        let (files, newFiles) = (before, self)
        return refusals.diagnostics(
            since: before.refusals, tally,
            wrong: before.refusals.isEmpty ? [] : wrongPlaces(since: before)
        ) {
            (files.file(at: $0)?.lastGood).isSameTree(as: newFiles.file(at: $0)?.lastGood)
        }
    }

    /// The layers, sources and keys of wrong values that are reported as such.
    private func wrongPlaces(since before: ModelStack) -> Set<[String]> {
        let after = snapshot
        var inForce = before.snapshot
        inForce.locks = after.locks
        let known = inForce.wrongValues
        let new = after.wrongValues.filter { !$0.isShadowed && !before.refusals.isKnown($0, among: known) }
        return Set(new.map { [$0.layer, $0.source, $0.key] })
    }

    /// The same files and values, all of which take effect.
    var withoutRefusals: ModelStack {
        var stack = self
        stack.refusals = ModelRefusals()
        return stack
    }

    /// Returns what some writes lead to, which are stored but not decided on.
    ///
    /// What is refused stays refused, except in the files that are written, and there only at the paths that are.
    func written(to layers: Set<Int>, since before: ModelStack) -> ModelStack {
        var candidate = self
        for index in layers {
            guard let place = writtenPlace(of: index) else { continue }
            if mutations.contains(.refusedVersionIsOverwritten), candidate.refusals.directories[place] != nil
            {
                continue
            }
            // The directory's other files decide as well whether what is written takes effect.
            candidate.refusals.directories[place] = nil
            let refused = candidate.refusals.versions.keys.filter {
                $0.layer == place.layer && $0.directory == place.directory
            }
            for place in refused { candidate.refusals.versions[place] = nil }
            let changed = changedPaths(at: place, since: before)
            let kept = candidate.refusals.kept[place] ?? []
            let newest = file(at: place)?.lastGood
            let written = kept.filter { kept in
                changed.contains { kept.path.covers($0) || newest.blocks(kept.path, at: $0) }
            }
            candidate.refusals.kept[place] = kept.filter { kept in
                !written.contains { $0.path.covers(kept.path) }
            }
        }
        return candidate
    }

    /// Returns the keys, or parts of keys, whose values are wrong after some writes to layers, although they were not before.
    func problems(ofWritesTo layers: Set<Int>, since before: ModelStack) -> [String] {
        var (inForce, after) = (before.snapshot, snapshot)
        // The keys that a write adds are locked, too, if the locks cannot be read; locks uncover nothing new.
        after.locks = Array(Set(inForce.locks + after.locks))
        inForce.locks = after.locks
        let known = inForce.wrongValues
        // What is written has to be acceptable even where it is shadowed.
        let names = layers.map { self.layers[$0].name }
        let wrong = after.wrongValues.filter { new in
            (!new.isShadowed || names.contains(new.layer)) && !before.refusals.isKnown(new, among: known)
        }
        let groups = after.brokenGroups(since: inForce)
        if refusals.kept.contains(where: { !$0.value.isEmpty }) { tally.hit(.keptValueStaysOnWrite) }
        let mended = layers.compactMap(writtenPlace).contains { before.refusals.versions[$0] != nil }
        if mended, wrong.isEmpty, groups.isEmpty { tally.hit(.writeMendsVersion) }
        return Set(wrong.map(\.key) + groups.map(\.problemName)).sorted()
    }

    /// The same stack with the newest version of the file that takes a write, which is what is edited.
    func withNewestVersion(takingThe write: ModelWrite) -> ModelStack {
        guard let place = target(of: write).flatMap(writtenPlace) else { return self }
        var stack = self
        stack.refusals.versions[place] = nil
        if let newest = file(at: place) { stack.refusals.directories[place]?.main = newest }
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
        place.file == ModelPlace.mainFile || contents(at: place) != nil
    }

    /// The height of a file's values, above that of its layer's locks if they apply to the file's directory.
    fileprivate func height(of place: ModelPlace) -> Int {
        guard let index = index(ofLayer: place.layer) else { return 0 }
        let directory = layers[index].directories.first { $0.name == place.directory }
        let isAbove =
            directory?.trustsLocks == false && layers[index].directories.contains(where: \.trustsLocks)
        return Self.height(of: index) + (isAbove ? 1 : 0)
    }

    /// Returns what a file contributes in its newest version.
    fileprivate func contents(at place: ModelPlace) -> [String: ModelValue]? {
        index(ofLayer: place.layer).flatMap { layers[$0].contents(at: place) }
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
    func isSameTree(as other: Self) -> Bool { self == other || changedPaths(to: other).isEmpty }

    fileprivate func changedPaths(to other: Self) -> [ModelPath] {
        let (old, new) = (source, other.source)
        return Set(old.pathsSet + new.pathsSet).filter { old.value(at: $0) != new.value(at: $0) }
    }

    /// Returns true if something that is no dictionary stands at a path above another one.
    fileprivate func blocks(_ path: ModelPath, at above: ModelPath) -> Bool {
        guard above.isAncestor(of: path), let found = source.value(at: above) else { return false }
        return found.entries == nil
    }

    private var source: ModelSource {
        ModelSource(layer: 0, layerName: "", name: "", entries: self ?? [:], isText: false)
    }
}

/// What of the newest contents takes effect, source by source.
///
/// 1. Everything new is tried together. If it has no problem that the contents in force do not have, it takes effect.
/// 2. Otherwise one source after the other is added to the contents in force, from the lowest on, and once more from the
///    lowest until none is added. A source, which is a directory of the system or a layer, that adds a problem is refused:
///    all of its files stay as they were.
/// 3. A user's file is never refused for a wrong value. First of all, each key with a wrong new value keeps what is in
///    force. Where a rule over several keys would refuse the file, or a wrong value below that it uncovers, it is tried once
///    more with what is in force of these keys.
private struct ModelDecision {
    /// What is accepted or refused as one.
    private struct Unit: Hashable, Comparable {
        let layer: Int
        /// `nil` for the whole layer.
        var directory: Int?

        static func < (lhs: Self, rhs: Self) -> Bool {
            (lhs.layer, lhs.directory ?? 0) < (rhs.layer, rhs.directory ?? 0)
        }
    }

    private let newest: ModelStack
    private let newestValues: ModelSnapshot
    private let before: ModelStack
    private let inForce: ModelSnapshot
    private let filesInForce: [ModelLayer]
    /// What is new, from the lowest to the highest.
    private var units: [Unit] = []
    /// What stays in place of wrong values.
    private var kept: [ModelPlace: [ModelKeptValue]] = [:]
    private var keptValues: [ModelPlace: [ModelKeptValue]] = [:]
    private var accepted: Set<Unit> = []
    /// The accepted layers of which a part is kept for a rule over several keys.
    private var partial: Set<Unit> = []
    private var rejected: [Unit: [ModelProblem]] = [:]

    init(on newest: ModelStack, over before: ModelStack) {
        (self.newest, self.before) = (newest, before)
        (newestValues, inForce) = (newest.snapshot, before.snapshot)
        filesInForce = before.refusals.applied(to: before.layers)
        units = newest.layers.indices.flatMap { [filesInForce] layer in
            let (new, old) = (newest.layers[layer], filesInForce[layer])
            let directories = new.directories.indices.filter { index in
                !new.directories[index].hasSameFiles(as: old.directories[index])
            }
            if new.isRefusedAsOne { return directories.map { Unit(layer: layer, directory: $0) } }
            let isNew = !directories.isEmpty || new.held != before.layers[layer].held
            return isNew ? [Unit(layer: layer)] : []
        }
    }

    /// Returns the files of a layer in which some units are accepted.
    private func files(of layer: Int, accepting state: Set<Unit>) -> ModelLayer {
        if state.contains(Unit(layer: layer)) { return newest.layers[layer] }
        var files = filesInForce[layer]
        for index in files.directories.indices where state.contains(Unit(layer: layer, directory: index)) {
            files.directories[index] = newest.layers[layer].directories[index]
        }
        return files
    }

    /// Returns the files that are others if a unit is accepted beside some units.
    private func changed(by unit: Unit, beside state: Set<Unit>) -> [ModelPlace] {
        let old = files(of: unit.layer, accepting: state.subtracting([unit]))
        let new = files(of: unit.layer, accepting: state.union([unit]))
        return new.places.filter { !new.contents(at: $0).isSameTree(as: old.contents(at: $0)) }
    }

    private var tally: ModelTally { newest.tally }
    private var mutations: Set<ModelMutation> { newest.mutations }

    /// What is refused, once it has been decided.
    var refusals: ModelRefusals {
        var refusals = ModelRefusals()
        for unit in units where !accepted.contains(unit) {
            guard let problems = rejected[unit] else { continue }
            keepInForce(unit, because: problems, in: &refusals)
            let files = files(of: unit.layer, accepting: accepted.union([unit]))
            for place in changed(by: unit, beside: accepted) {
                let all = problems + (kept[place] ?? []).map(\.problem)
                refusals.versions[place] = ModelRefusedVersion(
                    newest: files.contents(at: place), problems: all)
            }
        }
        refusals.kept = kept(in: accepted)
        return refusals
    }

    /// Returns what is kept of some units.
    private func kept(in units: Set<Unit>) -> [ModelPlace: [ModelKeptValue]] {
        let names = Set(units.map { newest.layers[$0.layer].name })
        return kept.filter { names.contains($0.key.layer) }
    }

    private func keepInForce(
        _ unit: Unit, because problems: [ModelProblem], in refusals: inout ModelRefusals
    ) {
        let layer = filesInForce[unit.layer]
        for index in layer.directories.indices where unit.directory == nil || unit.directory == index {
            let newest = newest.layers[unit.layer].directories[index]
            var directory = layer.directories[index]
            // They may be spelled otherwise.
            for file in newest.files where newest[file].isSameVersion(as: directory[file]) {
                directory[file] = newest[file]
            }
            if mutations.contains(.filesAreRefusedAlone) {
                directory = newest
                for problem in problems where problem.source.hasPrefix("\(directory.name)/") {
                    let file = String(problem.source.dropFirst(directory.name.count + 1))
                    directory[file] = layer.directories[index][file]
                }
            }
            refusals.directories[layer.folder(index)] = directory
        }
    }

    mutating func decide() {
        if units.isEmpty { return }
        let untried = Set(mutations.contains(.refusedIsNotTriedAgain) ? units.filter(isUnchanged) : [])
        for unit in units where hasKeyScope(unit.layer) { keepValues(of: unit) }
        keptValues = kept
        if untried.isEmpty, problems(adding: Set(units), to: []).isEmpty {
            accepted = Set(units)
            return
        }
        if mutations.contains(.refusedBlocksOthers) {
            for unit in units { rejected[unit] = problems(adding: [unit], to: []) }
            return
        }
        for unit in untried { rejected[unit] = [] }
        var isAdding = true
        while isAdding {
            isAdding = false
            for unit in units where !untried.contains(unit) {
                let isDone = accepted.contains(unit) && !partial.contains(unit)
                if !isDone, partial.contains(unit) ? addRest(of: unit) : add(unit) { isAdding = true }
            }
        }
        if !accepted.isEmpty, accepted.count < units.count { tally.hit(.refusedBlocksNothingElse) }
        for unit in units where !accepted.contains(unit) && changed(by: unit, beside: accepted).count > 1 {
            tally.hit(.filesAreRefusedTogether)
        }
    }

    private func isUnchanged(_ unit: Unit) -> Bool {
        guard let directory = unit.directory else { return false }
        let (old, new) = (before.layers[unit.layer], newest.layers[unit.layer])
        return before.refusals.directories[new.folder(directory)] != nil
            && new.directories[directory].hasSameFiles(as: old.directories[directory])
    }

    /// Adds what is kept of a layer for a rule over several keys; returns false if that still adds a problem.
    private mutating func addRest(of unit: Unit) -> Bool {
        let (all, others) = (kept, accepted)
        for place in changed(by: unit, beside: []) { kept[place] = keptValues[place] }
        accepted.remove(unit)
        let isRight = problems(adding: [unit], to: accepted).isEmpty
        if isRight { partial.remove(unit) } else { kept = all }
        accepted = others
        return isRight
    }

    /// Adds a unit, or what of it adds no problem; returns false if it is refused.
    private mutating func add(_ unit: Unit) -> Bool {
        let found = problems(adding: [unit], to: accepted)
        if found.isEmpty {
            rejected[unit] = nil
            accepted.insert(unit)
            return true
        }
        rejected[unit] = found
        if found.contains(where: \.isOfGroup) { tally.hit(.groupRefusesVersion) }
        guard hasKeyScope(unit.layer) else { return false }
        let (all, places) = (kept, changed(by: unit, beside: []))
        for problem in found where !problem.isOfGroup {
            tally.hit(.uncoveringKeepsValue)
            for path in newest.keys.first(where: { $0.name == problem.declared })?.names ?? [] {
                for place in places { keep(path, of: place, problem) }
            }
        }
        let keys = Set(found.map(\.key))
        for group in newest.groups where keys.contains(group.problemName) {
            for place in places {
                for path in group.paths where changes(path, at: place) {
                    keep(path, of: place, problem(of: group, at: place))
                }
            }
        }
        if problems(adding: [unit], to: accepted).isEmpty {
            tally.hit(.groupKeepsValue)
            rejected[unit] = nil
            accepted.insert(unit)
            partial.insert(unit)
            return true
        }
        kept = all
        return false
    }

    // MARK: Problems

    /// Returns the problems for which some units cannot be added to others, under the newest locks.
    private func problems(adding new: Set<Unit>, to state: Set<Unit>) -> [ModelProblem] {
        let (after, others) = (stack(adding: state.union(new)), stack(adding: state))
        let candidate = after.snapshot
        var old = others.snapshot
        old.locks = candidate.locks
        let wrong = newValues(in: candidate, of: old, others).filter { problem in
            guard !problem.isShadowed, let index = newest.index(ofLayer: problem.layer) else { return false }
            if isNew(problem) { return !hasKeyScope(index) }
            tally.hit(.uncoveringIsRefused)
            return true
        }
        let groups = candidate.brokenGroups(since: old).flatMap { group in
            new.sorted().prefix(1).map { problem(of: group, in: $0, beside: state, candidate) }
        }
        return wrong + groups
    }

    /// Returns the wrong values of some contents that others do not have.
    private func newValues(
        in candidate: ModelSnapshot, of old: ModelSnapshot, _ others: ModelStack
    ) -> [ModelProblem] {
        let (all, known) = (candidate.wrongValues, old.wrongValues)
        let new = all.filter { !others.refusals.isKnown($0, among: known) }
        if new.count < all.count { tally.hit(.oldProblemRefusesNothing) }
        return mutations.contains(.oldProblemsRefuse) ? all : new
    }

    /// Returns the contents in force with what is new in some units.
    private func stack(adding added: Set<Unit>) -> ModelStack {
        var stack = newest
        for unit in units {
            if added.contains(unit) { continue }
            stack.layers[unit.layer].held = before.layers[unit.layer].held
            keepInForce(unit, because: rejected[unit] ?? [], in: &stack.refusals)
        }
        stack.refusals.kept = kept(in: added)
        return stack
    }

    /// Returns the problem of a constraint at the topmost file of a unit that changes one of its keys; at any changed file
    /// if those have been removed.
    private func problem(
        of group: ModelGroup, in unit: Unit, beside state: Set<Unit>, _ candidate: ModelSnapshot
    ) -> ModelProblem {
        let all = changed(by: unit, beside: state)
        let places = all.filter { place in group.paths.contains { changes($0, at: place, to: candidate) } }
        let files = files(of: unit.layer, accepting: state.union([unit]))
        let present = places.last { $0.file == ModelPlace.mainFile || files.contents(at: $0) != nil }
        let top = present ?? places.last ?? all.last
        let layer = newest.layers[unit.layer].name
        return problem(of: group, at: top ?? ModelPlace(layer: layer, directory: ""))
    }

    private func problem(of group: ModelGroup, at place: ModelPlace) -> ModelProblem {
        let origin = ModelOrigin(layer: place.layer, source: place.source, name: "", spelling: .literal)
        return ModelProblem(key: group.problemName, origin: origin, reason: .group(group.name))
    }

    // MARK: Values

    /// Returns true if a layer is not refused for a wrong value.
    private func hasKeyScope(_ index: Int) -> Bool {
        !newest.layers[index].isRefusedAsOne || mutations.contains(.eachValueIsRefusedAlone)
    }

    /// Keeps what is in force of each key with a wrong new value, under all of its names.
    private mutating func keepValues(of unit: Unit) {
        let places = changed(by: unit, beside: [])
        var isNew = true
        while isNew {
            isNew = false
            let (after, others) = (stack(adding: [unit]), stack(adding: []))
            let candidate = after.snapshot
            var old = others.snapshot
            old.locks = candidate.locks
            let (known, before) = (old.wrongValues, kept)
            for problem in newValues(in: candidate, of: old, self.before)
            where problem.layer == newest.layers[unit.layer].name {
                guard let place = places.first(where: { $0.source == problem.source }),
                    // What is kept may be wrong itself, if it was hidden before; that is no reason why the newest is refused.
                    before[place]?.contains(where: { $0.path.covers(problem.path) }) != true,
                    // What was hidden before is wrong, but no new value.
                    changes(problem.path, at: place), !known.contains(where: { $0.isAtPlace(of: problem) }),
                    holdsValue(at: problem.path, of: place, isBarred: problem.isBarred)
                        || problem.otherPaths.contains(where: {
                            holdsValue(at: $0, of: place, isBarred: false)
                        })
                else { continue }
                for path in [problem.path] + problem.otherPaths where keep(path, of: place, problem) {
                    isNew = true
                }
            }
        }
    }

    /// Returns true if a file has a value in force at a path, or a dictionary if something may bar the path there.
    private func holdsValue(at path: ModelPath, of place: ModelPlace, isBarred: Bool) -> Bool {
        guard let held = inForce.value(at: path, of: place) else { return false }
        return held.entries != nil || !isBarred
    }

    /// Keeps what is in force at a path, unless that is what the newest version has there.
    @discardableResult
    private mutating func keep(_ path: ModelPath, of place: ModelPlace, _ problem: ModelProblem) -> Bool {
        // A drop-in that is gone has no newer value, and so keeps none.
        if !newest.hasFile(at: place) || !changes(path, at: place) { return false }
        let values = kept[place] ?? []
        if values.contains(where: { $0.path == path && $0.problem == problem }) { return false }
        kept[place, default: []].append(
            ModelKeptValue(path: path, inForce: inForce.value(at: path, of: place), problem: problem))
        return !values.contains { $0.path.covers(path) }
    }

    /// Returns false if a wrong value is one of the contents in force, too, and only something above or below it is new.
    private func isNew(_ problem: ModelProblem) -> Bool {
        let (layer, source) = (problem.layer, problem.source)
        return newestValues.value(at: problem.path, in: layer, source: source)
            != inForce.value(at: problem.path, in: layer, source: source)
    }

    private func changes(_ path: ModelPath, at place: ModelPlace, to candidate: ModelSnapshot? = nil) -> Bool
    {
        let candidate = candidate ?? newestValues
        // What a lock keeps a file from setting is the same in all of its versions.
        guard candidate.mayRead(path, from: newest.height(of: place)) else { return false }
        return candidate.value(at: path, of: place) != inForce.value(at: path, of: place)
    }
}

extension ModelProblem {
    /// Returns true if a problem stands in a file.
    fileprivate func isIn(_ place: ModelPlace) -> Bool { layer == place.layer && source == place.source }

    /// Returns true if one of its keys is, contains or is part of one of some others.
    fileprivate func concerns(_ others: [ModelPath]) -> Bool {
        key.split(separator: ", ").map { ModelPath(String($0)) }.contains { path in
            others.contains { $0.covers(path) || path.covers($0) }
        }
    }

    /// Returns true if both problems stand in one source.
    fileprivate func isBeside(_ other: ModelProblem) -> Bool {
        layer == other.layer && source == other.source
    }

    /// The layer and the source, which has no name in reports if it is no file.
    fileprivate var reportedPlace: [String] { [layer, source.contains("/") ? source : ""] }

    /// True for a problem of several values together.
    fileprivate var isOfGroup: Bool { if case .group = reason { true } else { false } }
}

extension ModelDirectory {
    /// Returns true if both have the same files in the same versions.
    fileprivate func hasSameFiles(as other: ModelDirectory) -> Bool {
        Set(files).union(other.files).allSatisfy { self[$0].isSameVersion(as: other[$0]) }
    }

    /// The names of the files that are read.
    fileprivate var files: [String] {
        [ModelPlace.mainFile] + dropIns.keys.filter { $0.hasSuffix(".plist") && !$0.hasPrefix(".") }
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
        since old: ModelRefusals, _ tally: ModelTally, wrong: Set<[String]>, isUnchanged: (ModelPlace) -> Bool
    ) -> [ModelDiagnostic] {
        var found: Set<ModelDiagnostic> = []
        for (place, version) in versions {
            tally.hit(.versionIsRefused)
            let before =
                old.versions[place].flatMap { $0.newest.isSameTree(as: version.newest) ? $0.problems : nil }
                ?? []
            // The other files of the layer have their own reports, which a file without a mistake repeats.
            let isWrong = version.problems.contains { $0.isIn(place) }
            let problems = version.problems.filter { problem in
                !isWrong || problem.isIn(place)
                    || !versions.contains { problem.isIn($0) && $1.problems.contains(problem) }
            }
            for problem in problems {
                if before.contains(where: { $0.isSame(as: problem) }) {
                    tally.hit(.refusedVersionIsReportedOnce)
                } else {
                    found.insert(problem.diagnostic(isVersion: true))
                }
            }
        }
        for (place, values) in kept {
            tally.hit(.valueIsKept)
            let before = (old.kept[place] ?? []).map(\.problem) + (old.versions[place]?.problems ?? [])
            let isUnchanged = isUnchanged(place)
            for value in values
            where !before.contains(where: {
                $0.isSame(as: value.problem)
                    || isUnchanged && $0.isBeside(value.problem) && $0.hasSameKeyAndKind(as: value.problem)
            }) {
                found.insert(value.problem.diagnostic(isVersion: false))
            }
        }
        // What is only a value now has its own recovery.
        let places = Set(kept.values.joined().map(\.problem.reportedPlace))
        let wrongSources = Set(wrong.map { Array($0.prefix(2)) })
        for place in old.wrongPlaces.subtracting(wrongPlaces).subtracting(places).subtracting(wrongSources) {
            tally.hit(.refusedVersionRecovers)
            found.insert(.versionRecovered(place))
        }
        for (place, values) in old.kept {
            var keys = Set(
                (kept[place] ?? []).map(\.problem.key) + (versions[place]?.problems ?? []).map(\.key))
            let wrongKeys = wrong.filter { $0.prefix(2) == [place.layer, place.source] }.map {
                ModelPath($0[2])
            }
            for value in values
            where keys.insert(value.problem.key).inserted && !value.problem.concerns(wrongKeys) {
                tally.hit(.keptValueRecovers)
                found.insert(.recovered(key: value.problem.key, value.problem.origin))
            }
        }
        return Array(found)
    }

    /// The layers and sources in which the values stand for which versions are refused.
    private var wrongPlaces: Set<[String]> {
        Set(versions.values.flatMap { $0.problems.map(\.reportedPlace) })
    }
}
