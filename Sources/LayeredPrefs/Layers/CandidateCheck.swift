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
            /// - Parameter hasAccepted: True if what the source has in force there is accepted.
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
    func noteDecision(on inForce: PrefsSnapshot, _ count: UInt64)

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
    let inForce: PrefsSnapshot
    let refused: RefusedVersions
    /// The number of the composition that the newest contents are.
    let count: UInt64

    /// Returns what has to be refused of the newest contents.
    ///
    /// What was refused is offered again each time. If the candidate fails with it, it is checked once more without
    /// it, so that nothing else waits for it. Problems that remain when everything new of their layers has been refused
    /// refuse nothing.
    ///
    /// - Parameter unit: Returns the unit of a layer, by its name.
    func refusals(
        by check: CandidateCheck, unit: @escaping (String?) -> PrefsLayer.Unit
    ) -> [RefusedVersions.Name: RefusedVersions.Refusal] {
        var search = RefusalSearch(newest: newest, inForce: inForce, unit: unit)
        var problems = search.problems(check)
        if !problems.isEmpty {
            search.refuse(refused.offeredAgain(in: newest.state.parts), because: problems)
            if !search.refusals.isEmpty { problems = search.problems(check) }
        }
        while !problems.isEmpty, search.refuse(problems) { problems = search.problems(check) }
        return search.refusals
    }
}

extension CandidateCheck.Problem {
    /// Returns true if the problem may be one of a source.
    fileprivate func concerns(_ source: RefusedVersions.Name) -> Bool {
        switch place {
        case .value(_, _, let name, _): name.layer == source.layer
        case .values, .everything: true
        }
    }
}

/// The search for what has to be refused of a candidate, so that the rest has no new problem.
private struct RefusalSearch {
    let newest: PrefsSnapshot
    let inForce: PrefsSnapshot
    let unit: (String?) -> PrefsLayer.Unit
    /// The sources with a new version; found when there is a problem.
    private lazy var changed = inForce.state.parts.names(differingIn: newest.state.parts)
    private(set) var refusals: [RefusedVersions.Name: RefusedVersions.Refusal] = [:]

    init(newest: PrefsSnapshot, inForce: PrefsSnapshot, unit: @escaping (String?) -> PrefsLayer.Unit) {
        (self.newest, self.inForce, self.unit) = (newest, inForce, unit)
    }

    func problems(_ check: CandidateCheck) -> [CandidateCheck.Problem] {
        let candidate = newest.refusing(refusals, inForce: inForce)
        let dirty = PrefsTransition.dirtyPaths(from: inForce, to: candidate)
        return dirty.isEmpty ? [] : check.problems(candidate, inForce, dirty, false)
    }

    /// Refuses what was refused before, for the reasons that it has now.
    mutating func refuse(
        _ before: [RefusedVersions.Name: RefusedVersions.Refusal], because problems: [CandidateCheck.Problem]
    ) {
        refusals = before.filter { name, refusal in refusal.values != nil || changed.contains(name) }
        for (name, refusal) in refusals where refusal.refusesVersion {
            let errors = problems.filter { $0.concerns(name) && !$0.isPending }.map(\.error)
            if !errors.isEmpty { refusals[name]?.errors = errors }
        }
    }

    /// Refuses what has problems; returns false if all of it is refused already.
    mutating func refuse(_ problems: [CandidateCheck.Problem]) -> Bool {
        var isNew = false
        for problem in problems {
            switch problem.place {
            case .value(let path, let key, let name, let hasAccepted):
                if refuse(path, of: key, in: name, hasAccepted, problem.error) { isNew = true }
            case .values(let keys):
                if refuse(keys, problem.error) { isNew = true }
            case .everything:
                if refuse(versions: changed, problem.isPending ? nil : problem.error) { isNew = true }
            }
        }
        return isNew
    }

    private mutating func refuse(
        _ path: PrefsPath, of key: PrefsKeyName, in name: RefusedVersions.Name, _ hasAccepted: Bool,
        _ error: PrefsError
    ) -> Bool {
        switch unit(name.layer) {
        case .version: refuse(versions: changed.filter { $0.layer == name.layer }, error)
        case .key: hasAccepted && refuse(valueAt: path, of: key, in: name, error)
        }
    }

    /// Refuses the new values of several keys: the versions that set one of them, or else the values alone.
    private mutating func refuse(_ keys: [PrefsKeyName], _ error: PrefsError) -> Bool {
        var isNew = false
        for (index, part) in newest.state.parts.enumerated() {
            let name = RefusedVersions.Name(part)
            for key in keys {
                for path in key.paths {
                    guard let found = newest.value(for: key, at: path, in: index) else { continue }
                    var error = error
                    error.origin = newest.located(found, in: part).origin
                    let isRefused =
                        switch unit(name.layer) {
                        case .version: changed.contains(name) && refuse(versions: [name], error)
                        case .key: refuse(valueAt: path, of: key, in: name, error)
                        }
                    if isRefused { isNew = true }
                }
            }
        }
        return isNew
    }

    private mutating func refuse(versions: Set<RefusedVersions.Name>, _ error: PrefsError?) -> Bool {
        var isNew = false
        for name in versions {
            if refusals[name]?.refusesVersion != true {
                refusals[name] = .init(version: newest.state.parts[name])
                isNew = true
            }
            if let error { refusals[name]?.add(error) }
        }
        return isNew
    }

    /// Keeps the value that a source has in force at a path, if it has another one there.
    private mutating func refuse(
        valueAt path: PrefsPath, of key: PrefsKeyName, in name: RefusedVersions.Name, _ error: PrefsError
    ) -> Bool {
        if refusals[name]?.isRefused(path) == true { return false }
        guard let kept = inForce.value(for: key, at: path, in: name), !kept.isRejected,
            kept.value != newest.value(for: key, at: path, in: name)?.value
        else { return false }
        var refusal = refusals[name] ?? .init(version: newest.state.parts[name], values: [])
        refusal.keep(KeptValues.Entry(path: path, value: kept), error)
        refusals[name] = refusal
        return true
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
                for entry in refusal.values ?? [] { state.rules.kept.add(entry, in: name) }
            }
        }
    }

    /// Returns a source's value for a key under one of its names, before locks are applied.
    fileprivate func value(
        for key: PrefsKeyName, at path: PrefsPath, in name: RefusedVersions.Name
    ) -> LocatedValue? {
        guard let index = state.parts.firstIndex(where: { RefusedVersions.Name($0) == name }) else {
            return nil
        }
        return value(for: key, at: path, in: index)
    }

    fileprivate func located(_ found: LocatedValue, in part: Part) -> LocatedValue {
        var found = found
        (found.layer, found.height) = (part.layer, part.height)
        return found
    }
}

extension PrefsSnapshot.Parts {
    typealias Name = RefusedVersions.Name

    /// Returns the version of a source; `nil` if there is none.
    subscript(name: Name) -> PrefsSource? { first { Name($0) == name }?.source }

    /// Returns the names of the sources that have another version in other parts, or none.
    fileprivate func names(differingIn newest: Self) -> Set<Name> {
        guard let groups = Self.changedGroups(from: self, to: newest) else { return [] }
        var names: Set<Name> = []
        for (before, after) in groups {
            let old = Dictionary(before.parts.map { (Name($0), $0.source) }) { first, _ in first }
            let new = Dictionary(after.parts.map { (Name($0), $0.source) }) { first, _ in first }
            names.formUnion(old.keys.filter { new[$0] == nil })
            names.formUnion(new.keys.filter { old[$0] !== new[$0] })
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
                parts.insert(part, at: place)
                place += 1
            }
        }
        let isSame = parts.elementsEqual(inForce.parts) { $0.source === $1.source && $0.height == $1.height }
        return isSame ? inForce : Group(parts)
    }
}
