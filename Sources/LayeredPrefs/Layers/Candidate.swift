import PrefsDocuments

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
    /// - Parameter rejectionScope: Returns the scope of a layer, by its name.
    func refusals(
        by check: StackCheck, rejectionScope: @escaping (String?) -> RejectionScope
    ) -> [RefusedVersions.Name: RefusedVersions.Refusal] {
        if let decided, !refused.all.isEmpty, decided.state.rules == newest.state.rules,
            // A file that appears or is gone is new, even an empty one: a source that is gone keeps nothing in force.
            decided.state.parts.haveSameFiles(as: newest.state.parts),
            PrefsTransition.dirtyPaths(from: decided, to: newest).isEmpty
        {
            return refused.all
        }
        var search = RefusalSearch(
            newest: newest, inForce: inForce, before: refused.offeredAgain(in: newest.state.parts),
            rejectionScope: rejectionScope
        )
        while search.refuse(search.problems(check)) {}
        search.addOthers()
        return search.refusals
    }
}
