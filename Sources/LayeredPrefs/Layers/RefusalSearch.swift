import PrefsDocuments

/// The search for what has to be refused of a candidate, so that the rest has no new problem.
struct RefusalSearch {
    typealias Name = RefusedVersions.Name
    typealias Problem = CandidateCheck.Problem

    let newest: PrefsSnapshot
    let inForce: PrefsSnapshot
    /// The refusals before, of versions that are still the newest.
    let before: [Name: RefusedVersions.Refusal]
    let rejectionScope: (String?) -> RejectionScope
    /// The sources with a new version, or with values that are refused; found when there is a problem.
    private lazy var changed = inForce.state.parts.names(differingIn: newest.state.parts).union(before.keys)
    private(set) var refusals: [Name: RefusedVersions.Refusal] = [:]
    /// What was wrong with the whole beside wrong values.
    private var others: [PrefsError] = []

    init(
        newest: PrefsSnapshot, inForce: PrefsSnapshot, before: [Name: RefusedVersions.Refusal],
        rejectionScope: @escaping (String?) -> RejectionScope
    ) {
        (self.newest, self.before, self.rejectionScope) = (newest, before, rejectionScope)
        self.inForce = inForce.withoutConstraintRejections
    }

    mutating func problems(_ check: StackCheck) -> [Problem] {
        let candidate = newest.refusing(refusals, inForce: inForce)
        let dirty = PrefsTransition.dirtyPaths(from: inForce, to: candidate)
        if dirty.isEmpty { return [] }
        let problems = check.problems(candidate, inForce, dirty, isWrite: false) { canRefuse(because: $0) }
        if problems.contains(where: { !$0.place.isEverything }) {
            others += problems.filter { $0.place.isEverything && !$0.isPending }.map(\.error)
        }
        return problems
    }

    /// Returns true if something can still be refused because of a problem.
    private mutating func canRefuse(because problem: Problem) -> Bool {
        if versions(concernedBy: problem).contains(where: { refusals[$0]?.refusesVersion != true }) {
            return true
        }
        switch problem.place {
        case .value:
            return !placesToKeep(for: problem, refusing: refusals).isEmpty
        case .values(let keys):
            return changed.contains { name in
                rejectionScope(name.layer) == .key
                    && keys.contains { key in
                        key.paths.contains {
                            refusals[name]?.isRefused($0) != true && changes($0, of: key, in: name)
                        }
                    }
            }
        case .everything:
            return false
        }
    }

    /// Refuses something that has a problem; returns false if all of it is refused already.
    ///
    /// A wrong value that its layer replaces alone concerns nothing else, and a problem of one layer nothing in the others.
    /// Of versions, those that were refused before are refused first.
    mutating func refuse(_ problems: [Problem]) -> Bool {
        let narrow = problems.filter { !$0.place.isEverything }
        return keepValues(narrow) || refuseAgain(narrow) || refuseNew(narrow)
            || refuseAgain(problems) || refuseNew(problems)
    }

    /// Adds what is wrong with the whole to the versions that are refused for wrong values, without which it is right.
    mutating func addOthers() {
        let known = refusals.values.flatMap(\.errors)
        for error in others where !known.contains(where: { $0.isSameProblem(as: error) }) {
            for (name, refusal) in refusals where refusal.refusesVersion {
                let isOfLayer = error.origin?.layer.map { $0 == name.layer } ?? true
                if isOfLayer { refusals[name]?.add(error) }
            }
        }
    }

    /// Keeps the values in force of the keys that have a wrong value, under all names of the key.
    private mutating func keepValues(_ problems: [Problem]) -> Bool {
        var isNew = false
        let kept = refusals
        for problem in problems {
            guard case .value(_, let key, let name, _) = problem.place else { continue }
            let wrong = wrongValue(of: problem)
            for place in placesToKeep(for: problem, refusing: kept)
            where keep(place, of: key, in: name, problem.error, wrong) { isNew = true }
        }
        return isNew
    }

    /// Returns the paths at which a source keeps what it has in force because of a wrong value; none if there is nothing to
    /// keep, so that the value counts as absent.
    private func placesToKeep(for problem: Problem, refusing kept: [Name: RefusedVersions.Refusal])
        -> [PrefsPath]
    {
        // What is kept may be wrong itself, if it was hidden before; that is no reason why the newest is refused.
        guard case .value(let path, let key, let name, hasAccepted: true) = problem.place,
            rejectionScope(name.layer) == .key, kept[name]?.isRefused(path) != true,
            newest.state.parts[name] != nil,
            // What was hidden before is wrong, but no new value.
            changes(path, of: key, in: name)
        else { return [] }
        let places = key.places(sharing: path)
        return places.contains { holdsValue(at: $0, of: key, in: name) } ? places : []
    }

    /// Returns true if a source has a value of a key in force at a path, or a dictionary above it.
    private func holdsValue(at path: PrefsPath, of key: PrefsKeyName, in name: Name) -> Bool {
        guard let held = inForce.value(for: key, at: path, in: name) else { return false }
        return held.value.kind == .dictionary || key.paths.contains { $0.contains(path) }
    }

    /// Refuses what was refused before, for the same reasons unless the program states another one.
    private mutating func refuseAgain(_ problems: [Problem]) -> Bool {
        let keptValues = keepValues(ofRulesIn: problems) { [before] name, path, error in
            guard let refusal = before[name] else { return false }
            return refusal.isRefused(path) && refusal.errors.contains { $0.key == error.key }
        }
        // A problem of everything is first that of what was refused for it, or is being offered to the program.
        let again = refuseVersionsAgain(problems) { refusal, problem in
            if problem.isPending { return refusal.isPending }
            return !problem.place.isEverything
                || refusal.errors.contains { $0.isSameProblem(as: problem.error) }
        }
        if keptValues || again { return true }
        let reasons = problems.filter { $0.place.isEverything && !$0.isPending }.map(\.error)
        return refuseVersionsAgain(problems, reasons) { _, _ in true }
    }

    /// - Parameter reasons: The problems of the versions now; if there are none, those that they had.
    private mutating func refuseVersionsAgain(
        _ problems: [Problem], _ reasons: [PrefsError] = [],
        where isConcerned: (RefusedVersions.Refusal, Problem) -> Bool
    ) -> Bool {
        var isNew = false
        for problem in problems {
            for name in versions(concernedBy: problem) where refusals[name]?.refusesVersion != true {
                guard var refusal = before[name], refusal.refusesVersion,
                    problem.isPending || !refusal.isPending, isConcerned(refusal, problem)
                else { continue }
                refusal.version = newest.state.parts[name]
                refusal.isOffered = problem.isPending
                if !reasons.isEmpty { refusal.errors = reasons }
                refusals[name] = refusal
                isNew = true
            }
        }
        return isNew
    }

    private mutating func refuseNew(_ problems: [Problem]) -> Bool {
        var isNew = keepValues(ofRulesIn: problems) { _, _, _ in true }
        let old = refusals
        for problem in problems {
            for name in versions(concernedBy: problem) where old[name]?.refusesVersion != true {
                if refusals[name]?.refusesVersion != true {
                    refusals[name] = .init(version: newest.state.parts[name])
                    isNew = true
                }
                if problem.isPending {
                    // What is wrong with some of its values stays so.
                    for error in old[name]?.errors ?? [] {
                        refusals[name]?.add(error, of: error.key.flatMap { old[name]?.wrongValues[$0] })
                    }
                    refusals[name]?.isOffered = true
                } else {
                    let (error, wrong) = (
                        error(of: problem, in: changed(in: name.layer)), wrongValue(of: problem)
                    )
                    refusals[name]?.add(error, of: wrong)
                    if problem.place.isEverything { addValues(problems, in: name) }
                }
            }
        }
        return isNew
    }

    /// Adds the problems of values of a source that is refused for something else, and which would count as absent.
    private mutating func addValues(_ problems: [Problem], in source: Name) {
        for problem in problems {
            guard case .value(_, _, source, _) = problem.place else { continue }
            let wrong = wrongValue(of: problem)
            refusals[source]?.add(problem.error, of: wrong)
        }
    }

    /// Keeps those of the values that rules over several keys concern that fulfil a condition.
    private mutating func keepValues(
        ofRulesIn problems: [Problem], where condition: (Name, PrefsPath, PrefsError) -> Bool
    ) -> Bool {
        var isNew = false
        for problem in problems {
            guard case .values(let keys) = problem.place else { continue }
            for name in changed where rejectionScope(name.layer) == .key {
                for key in keys {
                    for path in key.paths where condition(name, path, problem.error) {
                        if keep(path, of: key, in: name, error(of: problem, in: [name])) { isNew = true }
                    }
                }
            }
        }
        return isNew
    }

    /// Returns the value that a problem is about; `nil` if it is not one of the key's own.
    private func wrongValue(of problem: Problem) -> PrefsValue? {
        guard case .value(let path, let key, let name, _) = problem.place,
            key.paths.contains(where: { $0.contains(path) })
        else { return nil }
        return newest.value(for: key, at: path, in: name)?.value
    }

    /// Returns the new versions that are refused for a problem: all of the layers that it concerns.
    private mutating func versions(concernedBy problem: Problem) -> Set<Name> {
        switch problem.place {
        case .value(_, _, let name, _):
            return rejectionScope(name.layer) == .source ? changed.filter { $0.layer == name.layer } : []
        case .values(let keys):
            let layers = Set(changed.lazy.filter { [self] in changes(keys, in: $0) }.map(\.layer))
            return changed.filter { layers.contains($0.layer) && rejectionScope($0.layer) == .source }
        case .everything:
            return changed
        }
    }

    /// Returns true if the newest version of a source gives one of some keys another value, or none any more.
    private func changes(_ keys: [PrefsKeyName], in name: Name) -> Bool {
        keys.contains { key in key.paths.contains { changes($0, of: key, in: name) } }
    }

    private func changes(_ path: PrefsPath, of key: PrefsKeyName, in name: Name) -> Bool {
        if isLockedOut(path, of: key, in: name) { return false }
        return inForce.value(for: key, at: path, in: name)?.value
            != newest.value(for: key, at: path, in: name)?.value
    }

    /// Returns true if a lock keeps a source from setting a path, whatever its version.
    private func isLockedOut(_ path: PrefsPath, of key: PrefsKeyName, in name: Name) -> Bool {
        guard let lock = newest.lock(on: key) ?? newest.lock(on: path) else { return false }
        let part =
            newest.state.parts.first { Name($0) == name } ?? inForce.state.parts.first { Name($0) == name }
        return part.map { $0.height > lock.height } ?? false
    }

    /// Keeps what a source has in force at a path, if it has something else there.
    ///
    /// - Parameter wrong: The value that the error is about, if it is only one.
    private mutating func keep(
        _ path: PrefsPath, of key: PrefsKeyName, in name: Name, _ error: PrefsError,
        _ wrong: PrefsValue? = nil
    ) -> Bool {
        if newest.state.parts[name] == nil || !changes(path, of: key, in: name) { return false }
        if refusals[name]?.isRefused(path) == true {
            if refusals[name]?.refusesVersion == false { refusals[name]?.add(error, of: wrong) }
            return false
        }
        let kept = inForce.value(for: key, at: path, in: name)
        var refusal = refusals[name] ?? .init(version: newest.state.parts[name], values: [])
        refusal.keep(KeptValues.Entry(path: path, value: kept), error, of: wrong)
        refusals[name] = refusal
        return true
    }

    /// Returns the sources of a layer that have a new version, the most important one first.
    private mutating func changed(in layer: String?) -> [Name] {
        newest.state.parts.filter { $0.layer == layer }.map { Name($0) }.filter(changed.contains)
    }

    /// Returns the error of a problem. That of a rule over several keys has the place of the first value that the first
    /// of some sources changes.
    private func error(of problem: Problem, in names: [Name]) -> PrefsError {
        guard case .values(let keys) = problem.place,
            let name = names.first(where: { changes(keys, in: $0) })
        else { return problem.error }
        let places = keys.flatMap { key in key.paths.map { (key, $0) } }
        var error = problem.error
        error.origin =
            places.lazy.filter { changes($1, of: $0, in: name) }
            .compactMap { newest.value(for: $0, at: $1, in: name) }.first?.origin
        return error.located(in: name)
    }
}

extension CandidateCheck.Problem.Place {
    fileprivate var isEverything: Bool { if case .everything = self { true } else { false } }
}

extension PrefsSnapshot {
    /// Returns a source's value for a key under one of its names, before locks are applied; `nil` also if something
    /// blocks the path.
    fileprivate func value(
        for key: PrefsKeyName, at path: PrefsPath, in name: RefusedVersions.Name
    ) -> LocatedValue? {
        guard let index = state.parts.firstIndex(where: { RefusedVersions.Name($0) == name }),
            let found = value(for: key, at: path, in: index), !found.isRejected,
            !key.isSection(found.value, at: path)
        else { return nil }
        return found
    }
}
