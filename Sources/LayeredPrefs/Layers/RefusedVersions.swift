import PrefsDocuments

/// The new versions of a stack's sources that it refuses, in whose place the versions before stay in force.
struct RefusedVersions: Sendable {
    typealias Name = SourceGenerations.Name

    struct Refusal: Sendable {
        /// The refused version; `nil` if the source is gone.
        let version: PrefsSource?
        let error: PrefsError
    }

    private(set) var all: [Name: Refusal] = [:]

    /// Takes in a decision, and returns what to report: each refused version once, and each recovery.
    ///
    /// - Parameter errors: The reasons by source, for all sources whose newest version is refused.
    mutating func replace(
        with errors: [Name: PrefsError], in newest: PrefsSnapshot.Parts
    ) -> [PrefsDiagnostic] {
        var next: [Name: Refusal] = [:]
        var reports: [PrefsDiagnostic] = []
        // The files of a layer that changed together have one reason in common.
        func report(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
            let diagnostic = PrefsDiagnostic(severity, error)
            if !reports.contains(diagnostic) { reports.append(diagnostic) }
        }
        for (name, error) in errors {
            let refusal = Refusal(version: newest[name], error: error)
            next[name] = refusal
            let isNew = all[name].map { $0.version !== refusal.version } ?? true
            if isNew { report(.error, error) }
        }
        for (name, refusal) in all where next[name] == nil {
            var recovered = refusal.error
            recovered.reason = "accepted again"
            report(.recovered, recovered)
        }
        all = next
        return reports
    }

    /// Returns the reasons of the versions that were refused and are offered again.
    fileprivate func offeredAgain(in newest: PrefsSnapshot.Parts) -> [Name: PrefsError] {
        all.filter { name, refusal in newest[name] === refusal.version }.mapValues(\.error)
    }
}

/// Decides whether new versions of sources may take effect, before the commit that would make them effective.
///
/// It is called with no mutex held and outside of any turn, so it may run code of the program.
struct CandidateCheck: Sendable {
    /// A reason to refuse the new versions of one layer.
    struct Problem: Sendable {
        /// The layer, as the parts of a snapshot name it.
        let layer: String
        let error: PrefsError
    }

    /// Returns what is wrong with contents that would take the place of those in force.
    let problems: @Sendable (_ candidate: PrefsSnapshot, _ inForce: PrefsSnapshot) -> [Problem]

    /// Returns the sources whose newest versions are refused, with the reasons.
    ///
    /// What was refused is offered again each time. If the candidate fails with it, it is checked once more without
    /// it, so that nothing else waits for it. Problems that remain when all new versions of their layer have been
    /// refused refuse nothing.
    func errors(
        in newest: PrefsSnapshot, inForce: PrefsSnapshot, after refused: RefusedVersions
    ) -> [RefusedVersions.Name: PrefsError] {
        let changed = inForce.state.parts.names(differingIn: newest.state.parts)
        var errors: [RefusedVersions.Name: PrefsError] = [:]
        var problems = problems(newest, inForce)
        if problems.isEmpty { return [:] }
        func checkAgain() {
            let parts = newest.state.parts.keeping(Set(errors.keys), of: inForce.state.parts)
            problems = self.problems(newest.with { $0.parts = parts }, inForce)
        }
        errors = refused.offeredAgain(in: newest.state.parts).filter { changed.contains($0.key) }
        if !errors.isEmpty { checkAgain() }
        while !problems.isEmpty {
            let count = errors.count
            for problem in problems {
                for name in changed where name.layer == problem.layer && errors[name] == nil {
                    errors[name] = problem.error
                }
            }
            if errors.count == count { break }
            checkAgain()
        }
        return errors
    }
}

/// The newest contents of a stack's sources, and the contents in force at that moment.
struct UncheckedCandidate: Sendable {
    private let newest: PrefsSnapshot
    fileprivate let inForce: PrefsSnapshot
    private let refused: RefusedVersions
    /// The number of the composition that the newest contents are.
    fileprivate let count: UInt64

    init(_ newest: PrefsSnapshot, inForce: PrefsSnapshot, _ refused: RefusedVersions, count: UInt64) {
        (self.newest, self.inForce, self.refused, self.count) = (newest, inForce, refused, count)
    }

    /// Checks the newest contents; to be called outside of any turn.
    func checked(by check: CandidateCheck) -> CheckedCandidate {
        CheckedCandidate(
            candidate: self, errors: check.errors(in: newest, inForce: inForce, after: refused))
    }
}

/// The decision about a candidate, which holds while neither the sources nor the contents in force move.
struct CheckedCandidate: Sendable {
    fileprivate let candidate: UncheckedCandidate
    /// The reasons by source, for all sources whose newest version is refused.
    let errors: [RefusedVersions.Name: PrefsError]

    /// Returns true if nothing has moved since the check.
    func isDecision(on other: UncheckedCandidate) -> Bool {
        candidate.count == other.count && candidate.inForce.isCopy(of: other.inForce)
    }
}

extension PrefsSnapshot.Parts {
    typealias Name = SourceGenerations.Name

    /// Returns the version of a source; `nil` if there is none.
    fileprivate subscript(name: Name) -> PrefsSource? { first { Name($0) == name }?.source }

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
    func keeping(_ names: Set<Name>, of inForce: Self) -> Self {
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
