/// A reason to reject something new.
struct ModelProblem: Sendable, Hashable {
    /// The key, with the path of the rejected part of a struct; or the keys of a constraint.
    let key: String
    /// The names of the declared keys.
    let declared: [String]
    /// The origin of the candidate; for a constraint, the topmost file that changes one of its keys.
    var origin = ModelOrigin(layer: "", source: "", name: "", spelling: .literal)
    /// The path of the value in its source, or of the value that blocks it; then the paths of the same part
    /// under the key's other names.
    var paths: [ModelPath] = []
    var stored: ModelValue?
    let reason: ModelRejection
    var barringForm: String?
    /// True if an acceptable value above shadows the value, so that it has no effect.
    var isShadowed = false
    /// True if the file already had another wrong value of the key at this place, perhaps under another name.
    var replacesWrong = false

    /// Returns true if both are the same fault of the same value in one layer.
    func isSame(as other: ModelProblem) -> Bool {
        key == other.key && origin.layer == other.origin.layer && stored == other.stored
            && reason == other.reason && barringForm == other.barringForm
    }

    /// Returns true if both are faults of one key in one file: at the same path, or under another name.
    fileprivate func hasPlace(of other: ModelProblem) -> Bool {
        let paths = if case .notADictionary = reason { [self.paths[0]] } else { self.paths }
        return declared == other.declared && origin.layer == other.origin.layer
            && origin.source == other.origin.source && paths.contains(other.paths[0])
    }

    /// Returns true if the problem's value is in a file.
    func isIn(_ place: ModelPlace) -> Bool { origin.layer == place.layer && origin.source == place.source }

    /// The layer and the source. Reports name a source only if it is a file.
    var reportedPlace: [String] { [origin.layer, origin.source.contains("/") ? origin.source : ""] }

    func diagnostic(isVersion: Bool) -> ModelDiagnostic {
        .rejected(key: key, origin, reason, isVersion: isVersion)
    }
}

extension [ModelProblem] {
    /// Returns the problems that are not among `others`, counted as often as they occur. A problem that has
    /// moved to another file of its layer is still the same.
    func subtracting(_ others: [ModelProblem]) -> [ModelProblem] {
        var others = others
        func isKnown(_ problem: ModelProblem, where isNear: (ModelProblem) -> Bool) -> Bool {
            // A shadowed wrong value becomes a problem when an edit uncovers it.
            let known = others.firstIndex {
                $0.isSame(as: problem) && (!$0.isShadowed || problem.isShadowed) && isNear($0)
            }
            return known.map { others.remove(at: $0) } != nil
        }
        return filter { problem in !isKnown(problem) { $0.origin.source == problem.origin.source } }
            .filter { problem in !isKnown(problem) { _ in true } }
    }
}

extension ModelSnapshot {
    /// Returns the problems that another state does not have.
    func problems(since old: ModelSnapshot) -> [ModelProblem] {
        let all = wrongValues
        let known = all.isEmpty ? [] : old.wrongValues
        let new = all.subtracting(known).map { problem in
            var problem = problem
            problem.replacesWrong = known.contains { problem.hasPlace(of: $0) && !$0.isSame(as: problem) }
            return problem
        }
        if new.count < all.count { tally.hit(.oldProblemRejectsNothing) }
        let groups = brokenGroups(since: old).map {
            ModelProblem(key: $0.problemName, declared: $0.keys, reason: .group($0.name))
        }
        return (mutations.contains(.oldProblemsReject) ? all : new) + groups
    }

    /// Every rejected value of a declared key, shadowed or not, unless a lock excludes it. Higher values come
    /// first.
    var wrongValues: [ModelProblem] {
        keys.flatMap { key in
            resolve(key).badCandidates.values.sorted { rank(of: $0.origin) > rank(of: $1.origin) }.map {
                problem(of: $0, key)
            }
        }
    }

    private func problem(of version: ModelResolution.BadVersion, _ key: ModelKey) -> ModelProblem {
        var path = ModelPath(version.origin.name).appending(version.field)
        if case .notADictionary(let place) = version.reason, version.part.isEmpty { path = ModelPath(place) }
        let others = key.names.filter { !$0.covers(path) && !path.covers($0) }
        let part = key.names.first { $0.covers(path) }.map { $0.rest(of: path) } ?? []
        return ModelProblem(
            key: key.path.appending(version.part).description, declared: [key.name], origin: version.origin,
            paths: [path] + others.map { $0.appending(part) }, stored: version.stored, reason: version.reason,
            barringForm: version.barringForm,
            isShadowed: version.isShadowed && !mutations.contains(.shadowedProblemRejects))
    }

    private func rank(of origin: ModelOrigin) -> Int {
        sources.lastIndex { $0.layerName == origin.layer && $0.name == origin.source } ?? -1
    }

    /// The constraints that the effective values violate.
    var violatedGroups: [ModelGroup] {
        if mutations.contains(.groupIsIgnored) { return [] }
        return groups.filter { group in !group.accepts(members(of: group).map { resolve($0).value }) }
    }

    /// Returns the violated constraints with a key whose candidates differ from another state.
    private func brokenGroups(since old: ModelSnapshot) -> [ModelGroup] {
        violatedGroups.filter { group in
            members(of: group).contains { statements(of: $0) != old.statements(of: $0) }
        }
    }

    /// Returns the reports about constraints that are violated now, or no longer.
    func violations(since old: ModelSnapshot?) -> [ModelDiagnostic] {
        let (before, after) = (Set(old?.violatedGroups ?? []), Set(violatedGroups))
        if !after.isSubset(of: before) { tally.hit(.violatedGroupIsReported) }
        return after.subtracting(before).map { .violated(keys: $0.problemName) }
            + before.subtracting(after).map { .satisfied(keys: $0.problemName) }
    }

    private func members(of group: ModelGroup) -> [ModelKey] {
        group.keys.compactMap { name in keys.first { $0.name == name } }
    }

    private func statements(of key: ModelKey) -> [[String]] {
        candidates(for: key).filter { $0.stored != nil && $0.fate != .lockedOut }.map {
            [$0.origin.layer, $0.origin.source, $0.stored?.description ?? ""]
        }
    }

    /// Returns the value at a path of a file.
    func value(at path: ModelPath, of place: ModelPlace) -> ModelValue? {
        let source = sources.first { $0.layerName == place.layer && $0.name == place.source }
        guard let source, case .found(let value, _) = view(path, in: source) else { return nil }
        return value
    }
}

extension ModelGroup {
    /// The name that reports use for a violation.
    fileprivate var problemName: String { keys.joined(separator: ", ") }
}
