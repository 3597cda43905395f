import PrefsDocuments

/// Decides whether new versions of sources may take effect, before the commit that would make them effective.
///
/// A problem refuses what is new in the layers that it concerns; how much of it, the layer's ``PrefsLayer/Unit``
/// says. Only problems count that the contents in force do not have: an error from before the start refuses no later
/// edit.
///
/// It is called in the turn, with no mutex held, and runs code of the program: validators, codings and rules. That may
/// read but not write.
struct CandidateCheck: Sendable {
    /// A reason to refuse something new.
    struct Problem: Sendable {
        enum Place: Sendable {
            /// A value of one source, which stands at a path.
            ///
            /// - Parameter hasAccepted: True if nothing that the source has in force there, or as the same part under another
            ///   name of the key, is wrong.
            case value(PrefsPath, of: PrefsKeyName, in: RefusedVersions.Name, hasAccepted: Bool)
            /// The values of several keys in all layers.
            case values([PrefsKeyName])
            /// Everything that is new.
            case everything
        }

        let place: Place
        let error: PrefsError
        /// True if the program has not decided yet, which is nothing to report.
        var isPending = false
    }

    /// Returns what is wrong with a candidate, contents that would take the place of those in force.
    ///
    /// - Parameters:
    ///   - candidate: The contents to check.
    ///   - inForce: The present contents.
    ///   - dirty: The highest paths at which the two differ.
    ///   - isWrite: True if the candidate is what a write of this program leads to, which throws the problems.
    let problems: Body

    typealias Body =
        @Sendable (_ candidate: PrefsSnapshot, _ inForce: PrefsSnapshot, _ dirty: PathList, _ isWrite: Bool)
        -> [Problem]

    /// The paths of the values that are checked, if they belong to one configuration and to no other.
    let fields: [PrefsPath]
    /// Asks the program before a candidate is accepted; `nil` for a check that decides by itself.
    let decider: (any CandidateDecider)?

    init(
        of fields: [PrefsPath] = [], decider: (any CandidateDecider)? = nil, _ problems: @escaping Body
    ) {
        (self.fields, self.decider, self.problems) = (fields, decider, problems)
    }
}

/// Asks the program whether a candidate may take effect, which takes it some time.
protocol CandidateDecider: Sendable {
    /// Forgets what the program has refused, so that it is asked again; returns false if there was nothing.
    func forgetRefusal() -> Bool

    /// Notes what the stack has decided on.
    ///
    /// - Parameters:
    ///   - inForce: The contents that are in force now.
    ///   - count: The number of the composition.
    ///   - isNew: False if there was nothing new to decide on.
    func noteDecision(on inForce: PrefsSnapshot, _ count: UInt64, isNew: Bool)

    /// True while the program is being asked.
    var isBusy: Bool { get }

    /// Waits until the program is not being asked.
    func decided() async
}

/// The checks that were added to a stack.
struct CheckList: Sendable {
    private var checks: [Int: CandidateCheck] = [:]
    private var count = 0

    init(_ checks: [CandidateCheck]) { for check in checks { _ = add(check) } }

    var isEmpty: Bool { checks.isEmpty }

    /// The checks, in the order in which they were added.
    var all: [CandidateCheck] { checks.sorted { $0.key < $1.key }.map(\.value) }

    /// Those who ask the program.
    var deciders: [any CandidateDecider] { all.compactMap(\.decider) }

    mutating func add(_ check: CandidateCheck) -> Int {
        count += 1
        checks[count] = check
        return count
    }

    /// Returns a field that a check of the list has, too, or that is a part of one of its fields, or contains one.
    func field(sharedWith other: CandidateCheck) -> PrefsPath? {
        if other.fields.isEmpty { return nil }
        let taken = checks.values.flatMap(\.fields)
        return other.fields.first { field in taken.contains { $0.contains(field) || field.contains($0) } }
    }

    mutating func remove(_ number: Int) -> CandidateCheck? { checks.removeValue(forKey: number) }
}

/// The newest contents of a stack's sources, and the contents in force at that moment.
struct Candidate: Sendable {
    let newest: PrefsSnapshot
    /// The newest contents that were decided on last, unless they are to be checked again.
    let decided: PrefsSnapshot?
    let inForce: PrefsSnapshot
    let refused: RefusedVersions
    /// The number of the composition that the newest contents are.
    let count: UInt64

    /// Returns what has to be refused of the newest contents.
    ///
    /// What was refused is offered again each time. If there is a problem with it, the rest is checked without it, so
    /// that nothing else waits for it. Problems that remain when everything new of their layers has been refused
    /// refuse nothing. Of the contents that were decided on last, the same is refused as then: a write that changes nothing
    /// does not change what is in force.
    ///
    /// - Parameter unit: Returns the unit of a layer, by its name.
    func refusals(
        by check: CandidateCheck, unit: @escaping (String?) -> PrefsLayer.Unit
    ) -> [RefusedVersions.Name: RefusedVersions.Refusal] {
        if let decided, !refused.all.isEmpty, decided.state.rules == newest.state.rules,
            // A file that appears or is gone is new, even an empty one: a source that is gone keeps nothing in force.
            decided.state.parts.areOfSameNames(as: newest.state.parts),
            PrefsTransition.dirtyPaths(from: decided, to: newest).isEmpty
        {
            return refused.all
        }
        var search = RefusalSearch(
            newest: newest, inForce: inForce, before: refused.offeredAgain(in: newest.state.parts), unit: unit
        )
        while search.refuse(search.problems(check)) {}
        return search.refusals
    }
}

extension CandidateCheck.Problem.Place {
    fileprivate var isEverything: Bool { if case .everything = self { true } else { false } }
}

/// The search for what has to be refused of a candidate, so that the rest has no new problem.
private struct RefusalSearch {
    typealias Name = RefusedVersions.Name
    typealias Problem = CandidateCheck.Problem

    let newest: PrefsSnapshot
    let inForce: PrefsSnapshot
    /// The refusals before, of versions that are still the newest.
    let before: [Name: RefusedVersions.Refusal]
    let unit: (String?) -> PrefsLayer.Unit
    /// The sources with a new version, or with values that are refused; found when there is a problem.
    private lazy var changed = inForce.state.parts.names(differingIn: newest.state.parts).union(before.keys)
    private(set) var refusals: [Name: RefusedVersions.Refusal] = [:]

    init(
        newest: PrefsSnapshot, inForce: PrefsSnapshot, before: [Name: RefusedVersions.Refusal],
        unit: @escaping (String?) -> PrefsLayer.Unit
    ) {
        (self.newest, self.before, self.unit) = (newest, before, unit)
        self.inForce = inForce.withoutConstraintRejections
    }

    func problems(_ check: CandidateCheck) -> [Problem] {
        let candidate = newest.refusing(refusals, inForce: inForce)
        let dirty = PrefsTransition.dirtyPaths(from: inForce, to: candidate)
        return dirty.isEmpty ? [] : check.problems(candidate, inForce, dirty, false)
    }

    /// Refuses something that has a problem; returns false if all of it is refused already.
    ///
    /// A wrong value that its layer replaces alone concerns nothing else. Of versions, those that were refused before
    /// are refused first.
    mutating func refuse(_ problems: [Problem]) -> Bool {
        !problems.isEmpty && (keepValues(problems) || refuseAgain(problems) || refuseNew(problems))
    }

    /// Keeps the values in force of the keys that have a wrong value, under all names of the key.
    private mutating func keepValues(_ problems: [Problem]) -> Bool {
        var isNew = false
        let kept = refusals
        for problem in problems {
            // What is kept may be wrong itself, if it was hidden before; that is no reason why the newest is refused.
            guard case .value(let path, let key, let name, hasAccepted: true) = problem.place,
                unit(name.layer) == .key, kept[name]?.isRefused(path) != true,
                // What was hidden before is wrong, but no new value.
                changes(path, of: key, in: name),
                case let places = key.places(sharing: path),
                places.contains(where: { holdsValue(at: $0, of: key, in: name) })
            else { continue }
            for place in places where keep(place, of: key, in: name, problem.error) { isNew = true }
        }
        return isNew
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
                let error = error(of: problem, in: changed(in: name.layer))
                if !problem.isPending { refusals[name]?.add(error) }
            }
        }
        return isNew
    }

    /// Keeps those of the values that rules over several keys concern that fulfil a condition.
    private mutating func keepValues(
        ofRulesIn problems: [Problem], where condition: (Name, PrefsPath, PrefsError) -> Bool
    ) -> Bool {
        var isNew = false
        for problem in problems {
            guard case .values(let keys) = problem.place else { continue }
            for name in changed where unit(name.layer) == .key {
                for key in keys {
                    for path in key.paths where condition(name, path, problem.error) {
                        if keep(path, of: key, in: name, error(of: problem, in: [name])) { isNew = true }
                    }
                }
            }
        }
        return isNew
    }

    /// Returns the new versions that are refused for a problem: all of the layers that it concerns.
    private mutating func versions(concernedBy problem: Problem) -> Set<Name> {
        switch problem.place {
        case .value(_, _, let name, _):
            return unit(name.layer) == .version ? changed.filter { $0.layer == name.layer } : []
        case .values(let keys):
            let layers = Set(changed.lazy.filter { [self] in changes(keys, in: $0) }.map(\.layer))
            return changed.filter { layers.contains($0.layer) && unit($0.layer) == .version }
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
    private mutating func keep(
        _ path: PrefsPath, of key: PrefsKeyName, in name: Name, _ error: PrefsError
    ) -> Bool {
        if newest.state.parts[name] == nil || !changes(path, of: key, in: name) { return false }
        if refusals[name]?.isRefused(path) == true {
            if refusals[name]?.refusesVersion == false { refusals[name]?.add(error) }
            return false
        }
        let kept = inForce.value(for: key, at: path, in: name)
        var refusal = refusals[name] ?? .init(version: newest.state.parts[name], values: [])
        refusal.keep(KeptValues.Entry(path: path, value: kept), error)
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

extension PrefsSnapshot {
    /// Returns this snapshot with what is in force in place of what is refused.
    func refusing(
        _ refusals: [RefusedVersions.Name: RefusedVersions.Refusal], inForce: PrefsSnapshot
    ) -> PrefsSnapshot {
        if refusals.isEmpty { return self }
        let versions = Set(refusals.lazy.filter(\.value.refusesVersion).map(\.key))
        return with { state in
            state.parts = state.parts.keeping(versions, of: inForce.state.parts)
            for (name, refusal) in refusals {
                let kept = refusal.values ?? inForce.state.rules.kept[name]
                for entry in kept { state.rules.kept.add(entry, in: name) }
            }
        }
    }

    /// This snapshot before constraints rejected any value.
    var withoutConstraintRejections: PrefsSnapshot {
        state.rules.constraintRejections.isEmpty ? self : with { $0.rules.constraintRejections = [] }
    }

    /// Returns a source's value for a key under one of its names, before locks are applied; `nil` also if something
    /// blocks the path.
    fileprivate func value(
        for key: PrefsKeyName, at path: PrefsPath, in name: RefusedVersions.Name
    ) -> LocatedValue? {
        guard let index = state.parts.firstIndex(where: { RefusedVersions.Name($0) == name }),
            let found = value(for: key, at: path, in: index), !found.isRejected
        else { return nil }
        return found
    }
}

extension PrefsSnapshot.Part {
    /// Returns true if both are files of one folder, and this one has the name that comes later.
    fileprivate func isDropIn(above other: Self) -> Bool {
        guard let file = source.file?.utf8, let otherFile = other.source.file?.utf8,
            let end = file.lastIndex(of: UInt8(ascii: "/")),
            let otherEnd = otherFile.lastIndex(of: UInt8(ascii: "/"))
        else { return false }
        return file[..<end].elementsEqual(otherFile[..<otherEnd])
            && otherFile[otherEnd...].lexicographicallyPrecedes(file[end...])
    }
}

extension PrefsSnapshot.Parts {
    typealias Name = RefusedVersions.Name

    /// Returns the version of a source; `nil` if there is none.
    subscript(name: Name) -> PrefsSource? { first { Name($0) == name }?.source }

    /// Returns true if both have sources of the same names, whatever their contents.
    fileprivate func areOfSameNames(as other: Self) -> Bool { elementsEqual(other) { Name($0) == Name($1) } }

    /// Returns the names of the sources that have other contents in other parts, or none.
    fileprivate func names(differingIn newest: Self) -> Set<Name> {
        guard let groups = Self.changedGroups(from: self, to: newest) else { return [] }
        var names: Set<Name> = []
        for (before, after) in groups {
            let old = Dictionary(before.parts.map { (Name($0), $0.source) }) { first, _ in first }
            let new = Dictionary(after.parts.map { (Name($0), $0.source) }) { first, _ in first }
            names.formUnion(
                Set(old.keys).union(new.keys).filter {
                    !PrefsSource.haveSameContents(old[$0], new[$0])
                })
        }
        return names
    }

    /// Returns these parts with some sources as they are in the parts in force, which list the same layers.
    fileprivate func keeping(_ names: Set<Name>, of inForce: Self) -> Self {
        if names.isEmpty { return self }
        return Self(
            groups: zip(groups, inForce.groups).map { newest, inForce in
                newest === inForce ? newest : Self.keeping(names, in: newest.parts, of: inForce)
            })
    }

    private static func keeping(
        _ names: Set<Name>, in newest: [PrefsSnapshot.Part], of inForce: Group
    ) -> Group {
        var parts = newest.compactMap { part in
            names.contains(Name(part)) ? inForce.parts.first { Name($0) == Name(part) } : part
        }
        // One that is gone stays behind the one that it followed.
        var place = 0
        for part in inForce.parts {
            if let index = parts.firstIndex(where: { Name($0) == Name(part) }) {
                place = index + 1
            } else if names.contains(Name(part)) {
                // Drop-ins of one folder are in the order of their names, the last one first.
                while place < parts.count, parts[place].isDropIn(above: part),
                    !inForce.parts.contains(where: { Name($0) == Name(parts[place]) })
                {
                    place += 1
                }
                parts.insert(part, at: place)
                place += 1
            }
        }
        let isSame = parts.elementsEqual(inForce.parts) { $0.source === $1.source && $0.height == $1.height }
        return isSame ? inForce : Group(parts)
    }
}
