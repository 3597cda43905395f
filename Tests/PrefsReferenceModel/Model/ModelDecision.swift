/// Decides which of the newest contents become active in a running program.
///
/// The unit is a source: a directory of the system layer, or a whole layer. Each decision starts again from
/// the newest contents.
///
/// 1. The candidate takes everything new. If it has no problem that the active contents do not have, it
///    becomes active.
/// 2. Otherwise the sources are added to the active contents one by one, lowest first, and once more from the
///    lowest until none is added. A source that adds a problem is rejected: all its files keep their active
///    revisions.
/// 3. The user's file is never rejected for a wrong value. First of all, each key whose new value is wrong
///    keeps its active contents, unless the active value is wrong, too. If the file would still be rejected,
///    for a constraint or for a wrong value below that it uncovers, it is tried once more with the active
///    contents of the keys concerned.
struct ModelDecision {
    /// A source, which is accepted or rejected as a whole.
    private struct Unit: Hashable {
        let layer: Int
        /// `nil` for the whole layer.
        var directory: Int?
    }

    private let newest: ModelStack
    private let (newestValues, activeValues): (ModelSnapshot, ModelSnapshot)
    private let base: [ModelLayer]
    /// The newest contents, except that rule 3 keeps the active contents of keys with wrong values.
    private var targets: [ModelLayer]
    /// The contents that become active.
    private(set) var active: [ModelLayer]
    /// The values that rule 3 keeps for any reason, and the values that it keeps because the new ones are
    /// wrong.
    private var (kept, keptValues): ([ModelPlace: ModelRejectedFile], [ModelPlace: ModelRejectedFile]) = (
        [:], [:]
    )
    private var rejected: [Unit: [ModelProblem]] = [:]
    /// The accepted layers that keep some values because of a constraint, or of a wrong value below.
    private var partial: Set<Unit> = []

    private var tally: ModelTally { newest.tally }
    private var mutations: Set<ModelMutation> { newest.mutations }

    init(on newest: ModelStack, over base: [ModelLayer]) {
        (self.newest, self.base, targets, active) = (newest, base, newest.layers, newest.layers)
        (newestValues, activeValues) = (newest.snapshot(of: newest.layers), newest.snapshot(of: base))
        decide()
    }

    private mutating func decide() {
        let untried = mutations.contains(.rejectedIsNotTriedAgain) ? units.filter(wasRejected) : []
        if untried.isEmpty, problems(in: targets, since: base).isEmpty { return }
        for unit in units where hasKeyScope(unit.layer) { keepValues(of: unit.layer) }
        keptValues = kept
        let found = reasons(in: targets, since: base)
        active = targets
        if untried.isEmpty, found.isEmpty { return }
        active = base
        for unit in untried { rejected[unit] = [] }
        if mutations.contains(.rejectedBlocksOthers) {
            for unit in units { rejected[unit] = found }
            return
        }
        var (left, isAdding) = (units.filter { !untried.contains($0) }, true)
        while isAdding {
            isAdding = false
            for unit in left where add(unit) {
                isAdding = true
                if !partial.contains(unit) { left.removeAll { $0 == unit } }
            }
        }
        if !rejected.isEmpty, rejected.count < units.count { tally.hit(.rejectedBlocksNothingElse) }
    }

    /// Adds a unit, if need be with the values that rule 3 keeps. Returns false if the unit is rejected.
    private mutating func add(_ unit: Unit) -> Bool {
        let tried = taking(unit, of: targets)
        let found = reasons(in: tried, since: active)
        if found.isEmpty {
            rejected[unit] = nil
            partial.remove(unit)
            for place in targets[unit.layer].places { kept[place] = keptValues[place] }
            active = tried
            return true
        }
        if partial.contains(unit) { return false }
        rejected[unit] = found
        if found.contains(where: \.isOfGroup) { tally.hit(.groupRejectsVersion) }
        if found.contains(where: { !$0.isOfGroup && !isNew($0) }) { tally.hit(.uncoveringIsRejected) }
        if mutations.contains(.filesAreRejectedAlone) {
            active = tried
            for place in targets[unit.layer].places where found.contains(where: { $0.isIn(place) }) {
                if let file = base[unit.layer][place] { active[unit.layer][place] = file }
            }
        }
        guard hasKeyScope(unit.layer) else { return false }
        let before = kept
        var rest = active
        rest[unit.layer] = keepingValues(of: found, in: unit.layer)
        if !reasons(in: rest, since: active).isEmpty {
            kept = before
            return false
        }
        tally.hit(found.contains(where: \.isOfGroup) ? .groupKeepsValue : .uncoveringKeepsValue)
        (active, rejected[unit]) = (rest, nil)
        partial.insert(unit)
        return true
    }

    // MARK: Sources

    /// The sources whose newest contents are not active, lowest first.
    private var units: [Unit] {
        base.indices.flatMap { layer in
            let (new, old) = (targets[layer], base[layer])
            let changed = new.directories.indices.filter {
                !new.directories[$0].hasSameFiles(as: old.directories[$0])
            }
            if new.isRejectedAsOne { return changed.map { Unit(layer: layer, directory: $0) } }
            return changed.isEmpty && new.held == old.held ? [] : [Unit(layer: layer)]
        }
    }

    /// Returns the active contents with one unit of other layers.
    private func taking(_ unit: Unit, of layers: [ModelLayer]) -> [ModelLayer] {
        var state = active
        if let index = unit.directory {
            state[unit.layer].directories[index] = layers[unit.layer].directories[index]
        } else {
            state[unit.layer] = layers[unit.layer]
        }
        return state
    }

    private func wasRejected(_ unit: Unit) -> Bool {
        newest.rejections.contains { place, file in
            file.isWhole && place.layer == base[unit.layer].name
                && file.newest.isSameTree(as: newest.layers[unit.layer].contents(at: place))
        }
    }

    // MARK: Problems

    /// Returns the problems that `layers` has and `others` does not, both under the newest locks.
    private func problems(in layers: [ModelLayer], since others: [ModelLayer]) -> [ModelProblem] {
        let candidate = newest.snapshot(of: layers)
        var old = newest.snapshot(of: others)
        old.locks = candidate.locks
        return candidate.problems(since: old)
    }

    private func reasons(in layers: [ModelLayer], since others: [ModelLayer]) -> [ModelProblem] {
        problems(in: layers, since: others).filter { problem in
            if problem.isShadowed { return false }
            let layer = newest.index(ofLayer: problem.origin.layer)
            return !problem.replacesWrong || layer.map(hasKeyScope) != true
        }
    }

    // MARK: Rule 3

    /// Returns true if a wrong value rejects only its key, and not the layer (the scope `.key`).
    private func hasKeyScope(_ index: Int) -> Bool {
        !base[index].isRejectedAsOne || mutations.contains(.eachValueIsRejectedAlone)
    }

    /// Keeps the active contents of each key whose new value is wrong, under all names of the key.
    private mutating func keepValues(of layer: Int) {
        var isNew = true
        while isNew {
            isNew = false
            var tried = base
            tried[layer] = targets[layer]
            let before = kept
            for problem in problems(in: tried, since: base) where !problem.replacesWrong {
                // A kept value may be wrong itself. That is not a problem of the newest contents.
                guard let place = targets[layer].places.first(where: { problem.isIn($0) }),
                    before[place]?.keeps(problem.paths[0]) != true
                else { continue }
                if keep(problem.paths, at: place, because: problem) { isNew = true }
            }
            targets[layer] = keepingValues(in: layer)
        }
    }

    /// Returns a layer in which the keys of some problems keep their active contents, too.
    private mutating func keepingValues(of problems: [ModelProblem], in layer: Int) -> ModelLayer {
        for problem in problems {
            let paths = pathsToKeep(for: problem, in: layer)
            for place in newest.layers[layer].places {
                _ = keep(paths, at: place, because: problem.isOfGroup ? problem.located(at: place) : problem)
            }
        }
        return keepingValues(in: layer)
    }

    /// Returns the paths that keep their active contents in a layer because of a problem: the paths of the
    /// wrong value, or of the wrong part of a struct, under all names of the key. For a constraint, and for a
    /// key that another layer blocks, these are all names of the keys.
    private func pathsToKeep(for problem: ModelProblem, in layer: Int) -> [ModelPath] {
        let isOwn = newest.layers[layer].places.contains { problem.isIn($0) }
        if !problem.isOfGroup, isOwn || !problem.isBlocked { return problem.paths }
        return newest.keys.filter { problem.declared.contains($0.name) }.flatMap(\.names)
    }

    private func keepingValues(in layer: Int) -> ModelLayer {
        var files = newest.layers[layer]
        for (place, rejection) in kept where place.layer == files.name {
            files[place]?.keep(rejection.values ?? [])
        }
        return files
    }

    /// Keeps a file's active value at each path where its newest revision has another one. Returns false if
    /// there is no such path.
    private mutating func keep(
        _ paths: [ModelPath], at place: ModelPlace, because problem: ModelProblem
    ) -> Bool {
        // A removed drop-in has no newer value, so it keeps none.
        let isFile = place.file == ModelPlace.mainFile || newest.contents(at: place) != nil
        let changed = isFile ? paths.filter { changes($0, at: place, to: newestValues) } : []
        if changed.isEmpty { return false }
        var file = kept[place] ?? ModelRejectedFile(newest: newest.contents(at: place), values: [])
        for path in changed {
            file.keep(ModelKeptValue(path: path, value: activeValues.value(at: path, of: place)))
        }
        file.add(problem)
        kept[place] = file
        return true
    }

    private func isNew(_ problem: ModelProblem) -> Bool {
        newest.layers.flatMap(\.places).contains { place in
            problem.isIn(place) && changes(problem.paths[0], at: place, to: newestValues)
        }
    }

    /// Returns true if a file's value at a path differs from the active one, and no lock keeps the file from
    /// setting it.
    private func changes(_ path: ModelPath, at place: ModelPlace, to candidate: ModelSnapshot) -> Bool {
        candidate.mayRead(path, from: newest.height(of: place))
            && candidate.value(at: path, of: place) != activeValues.value(at: path, of: place)
    }

    // MARK: Reports

    /// The rejections, by file.
    var rejections: [ModelPlace: ModelRejectedFile] {
        var rejections = kept
        for unit in units {
            guard let problems = rejected[unit] else { continue }
            let tried = taking(unit, of: newest.layers)
            let (new, old) = (tried[unit.layer], active[unit.layer])
            let changed = new.places.filter { !new.contents(at: $0).isSameTree(as: old.contents(at: $0)) }
            if changed.count > 1 { tally.hit(.filesAreRejectedTogether) }
            let values = newest.snapshot(of: tried)
            let located = problems.map { problem in
                problem.isOfGroup ? problem.located(at: top(of: changed, problem, new, values)) : problem
            }
            for place in changed {
                rejections[place] = ModelRejectedFile(
                    newest: new.contents(at: place), problems: located + (kept[place]?.problems ?? []))
            }
        }
        return rejections
    }

    /// Returns the topmost changed file that changes one of a constraint's keys, preferably one that still
    /// exists. If no file changes them, returns the topmost changed one.
    private func top(
        of changed: [ModelPlace], _ problem: ModelProblem, _ layer: ModelLayer, _ values: ModelSnapshot
    ) -> ModelPlace {
        let places = changed.filter { place in
            problem.declared.contains { changes(ModelPath($0), at: place, to: values) }
        }
        let present = places.last { $0.file == ModelPlace.mainFile || layer.contents(at: $0) != nil }
        return present ?? places.last ?? changed.last ?? ModelPlace(layer: layer.name, directory: "")
    }
}

extension ModelProblem {
    /// True if a non-dictionary blocks the key's path.
    fileprivate var isBlocked: Bool { if case .notADictionary = reason { true } else { false } }

    /// True if a constraint rejects several values together.
    fileprivate var isOfGroup: Bool { if case .group = reason { true } else { false } }

    fileprivate func located(at place: ModelPlace) -> ModelProblem {
        var problem = self
        (problem.origin.layer, problem.origin.source) = (place.layer, place.source)
        return problem
    }
}
