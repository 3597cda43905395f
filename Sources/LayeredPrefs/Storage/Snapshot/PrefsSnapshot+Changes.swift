import PrefsDocuments

/// The difference between a version of a source and the version before it, recorded if the code that made it
/// knows.
struct PrefsSourceStep: Sendable {
    /// The version from which this step starts.
    let start: UInt64
    /// Every difference lies at or below one of these paths.
    let paths: PathList
}

extension PrefsSnapshot {
    /// Two snapshots of one storage with equal identities give the same answers, lines included.
    struct Identity: Sendable, Equatable {
        fileprivate let generation: UInt64
        /// That of the newest source, which grows even if only lines differ.
        fileprivate let version: UInt64
        /// The locks, whose lines may differ, too.
        fileprivate let locks: LockTable

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.generation == rhs.generation && lhs.version == rhs.version && lhs.locks === rhs.locks
        }
    }

    var identity: Identity {
        let version = state.parts.reduce(0) { max($0, $1.source.version) }
        return Identity(generation: generation, version: version, locks: state.rules.locks)
    }

    /// Returns paths that cover every difference from an earlier state (each lies at or below one of them),
    /// if the sources have recorded it; `nil` if only a comparison can find the differences.
    ///
    /// The cost is proportional to the number of sources, however large they are.
    ///
    /// For example, if the only source that changed recorded a step from its earlier version with the path
    /// `http.port`, the result is `[http.port]`. If that source skipped a version, has no recorded step (a
    /// file that appeared), or if a lock or the set of layers changed as well, it is `nil`.
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
