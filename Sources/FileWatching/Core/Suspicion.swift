/// From which lookup on a path must be resolved again, and what that says about its content.
struct Suspicion: Sendable, Hashable {
    /// What happened to the name that was looked up, from the least telling to the most.
    enum Cause: Sendable, Hashable, Comparable {
        /// Nothing: somebody only wants to know.
        case doubt
        /// Only attributes changed, the number of links among them.
        case attributes
        /// Something complete was put there.
        case replaced
        /// Something began there that may not be complete, or it is not known what.
        case began
    }

    var step: Int
    var cause: Cause
    var source: FileEvent.Source

    /// Both in one: the earlier step counts. Of two causes the later counts, unless it tells nothing.
    func merged(with later: Suspicion) -> Suspicion {
        let isTelling = later.cause > .attributes || later.cause > cause
        return Suspicion(
            step: min(step, later.step),
            cause: isTelling ? later.cause : cause,
            source: later.cause == .doubt ? source : later.source)
    }

    /// What a resolved path's content has to be taken for; nil if nothing happened to it.
    func sign(of path: WatchedPath, before: WatchedPath.End?) -> Sign? {
        guard let end = path.end else { return before == nil ? nil : .settle(.gone) }
        switch cause {
        case .doubt: return end.signature == path.signature ? nil : .settle(.written)
        case .attributes: return .attributes
        case .replaced: return .settle(.complete)
        case .began: return .settle(isComplete(end, of: path) ? .complete : .written)
        }
    }

    enum Sign: Sendable, Hashable {
        case settle(Settler.Sign)
        case attributes
    }

    /// A link, a directory's listing and a file that has another name too come into being in one step.
    private func isComplete(_ end: WatchedPath.End, of path: WatchedPath) -> Bool {
        let isLink = path.steps.indices.contains(step) && path.steps[step].isLink
        return isLink || end.isDirectory || end.links > 1
    }
}
