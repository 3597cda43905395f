/// An invalidation of a path: the lookup to start from when the path is resolved again, and the cause. The cause
/// decides whether the content has to be reported as changed.
struct Invalidation: Sendable, Hashable {
    /// The kind of event that affected the name that was looked up, in order of increasing significance.
    enum Cause: Sendable, Hashable, Comparable {
        /// No known event: the path only has to be checked.
        case recheck
        /// The mount table changed: the path may lead to another file, which is complete. If it leads to the
        /// same file, the file is only checked, because mounts elsewhere say nothing about a write in progress.
        case mounted
        /// Only attributes changed, such as the number of links.
        case attributes
        /// A complete file or directory was put in place.
        case replaced
        /// A file appeared that may be incomplete, or the event is unknown.
        case incomplete
    }

    var step: Int
    var cause: Cause
    var source: FileEvent.Source

    /// Merges two invalidations: the earlier step, and the later cause. But `.recheck`, `.mounted` and
    /// `.attributes` do not override a more significant cause.
    ///
    /// For example, `.incomplete` at step 3 and then `.replaced` at step 5 merge into `.replaced` at step 3;
    /// `.replaced` at step 3 and then `.recheck` at step 1 merge into `.replaced` at step 1.
    func merged(with later: Invalidation) -> Invalidation {
        let overrides = later.cause > .attributes || later.cause > cause
        return Invalidation(
            step: min(step, later.step),
            cause: overrides ? later.cause : cause,
            source: later.cause == .recheck ? source : later.source)
    }

    /// How certain it is that a path that has been resolved again leads to a complete file.
    enum Way: Sendable, Hashable {
        /// Nothing on the path has just been created, so a file at its end is complete.
        case known
        /// The file has just been created, and no writer has closed it yet.
        case newFile
        /// A folder on the path has just been created. Somebody may have filled it unnoticed before it was
        /// watched, or may still be filling it.
        case newFolder
        /// Events have been lost.
        case unknown
    }

    /// Returns the change of the content of a path that has been resolved again; `nil` if the content is the same.
    ///
    /// - Parameters:
    ///   - before: The inode that the path led to before.
    ///   - isInOtherFolder: True if the folder is not the one where the file was last found.
    func change(
        of path: WatchedPath, before: WatchedPath.End?, way: Way, isInOtherFolder: Bool
    ) -> Debouncer.Change? {
        guard let end = path.end else {
            if before == nil, !path.debouncer.isGone { return nil }
            // If a folder was put in place as a whole, the file is not missing from it by accident.
            if isInOtherFolder, way == .known { return .complete }
            return before == nil ? nil : .removed
        }
        switch cause {
        case .recheck: return end.signature == path.signature ? nil : path.write(end)
        case .mounted:
            if end.signature == path.signature { return nil }
            return end.signature?.isOfSameFile(as: before?.signature) == true ? path.write(end) : .complete
        case .attributes: return .attributes
        case .replaced: return .complete
        case .incomplete: return isComplete(end, of: path) ? .complete : creation(of: end, of: path, way)
        }
    }

    /// Returns the change for a new file that may be incomplete.
    private func creation(of end: WatchedPath.End, of path: WatchedPath, _ way: Way) -> Debouncer.Change {
        switch way {
        case .known: .complete
        case .newFile: WatchedPath.creation(of: end)
        case .newFolder, .unknown: path.write(end)
        }
    }

    /// Returns true if the file cannot be half written: a link, a directory's listing and a file with a second
    /// name appear in a single step.
    private func isComplete(_ end: WatchedPath.End, of path: WatchedPath) -> Bool {
        let isLink = path.steps.indices.contains(step) && path.steps[step].isLink
        return isLink || end.isDirectory || end.links > 1
    }
}
