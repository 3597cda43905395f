import PrefsDocuments

/// The difference between a revision of a source and the previous revision. It is recorded if the code that
/// makes the revision knows the difference.
struct PrefsSourceStep: Sendable {
    /// The number of the revision that this step starts from.
    let start: UInt64
    /// Every difference lies at or below one of these paths.
    let paths: PathList
}

extension PrefsSnapshot {
    /// Two snapshots of one storage with equal identities give the same answers, lines included.
    struct Identity: Sendable, Equatable {
        fileprivate let generation: UInt64
        /// The number of the newest revision, which grows even if only lines differ.
        fileprivate let version: UInt64
        /// The locks. They may differ in their lines only.
        fileprivate let locks: LockTable

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.generation == rhs.generation && lhs.version == rhs.version && lhs.locks === rhs.locks
        }
    }

    var identity: Identity {
        let version = state.parts.reduce(0) { max($0, $1.source.version) }
        return Identity(generation: generation, version: version, locks: state.rules.locks)
    }

    /// Returns paths that cover every difference from an earlier state, or `nil` if only a comparison can
    /// find the differences. Each difference lies at or below one of the paths.
    ///
    /// The cost is proportional to the number of sources, however large they are.
    ///
    /// For example, a single source has changed, and recorded a step from its earlier revision with the path
    /// `http.port`. Then the result is `[http.port]`. The result is `nil` if the source skipped a revision,
    /// or has no recorded step because its file has just appeared. It is also `nil` if a lock or the set of
    /// layers has changed, too.
    func knownChanges(since old: PrefsSnapshot) -> PathList? {
        if isCopy(of: old) { return [] }
        let (state, earlier) = (state, old.state)
        guard state.keysAreLiteral == earlier.keysAreLiteral, state.rules == earlier.rules,
            let groups = PrefsSnapshot.Parts.changedGroups(from: earlier.parts, to: state.parts)
        else { return nil }
        var paths = PathList()
        for (before, after) in groups {
            guard before.parts.count == after.parts.count else { return nil }
            for (part, previous) in zip(after.parts, before.parts) where part.source !== previous.source {
                guard part.height == previous.height,
                    let known = PrefsSource.knownDifferences(previous.source, part.source)
                else { return nil }
                paths.append(contentsOf: known)
            }
        }
        return paths
    }
}
