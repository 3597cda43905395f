import PrefsSystem

/// The lookups of a path and the inode it leads to, as one walk found them.
struct Resolution {
    var steps: [WatchedPath.Step] = []
    /// The inode that the path leads to; `nil` if a component is missing.
    var end: WatchedPath.End?
    /// The path without links, as far as it exists.
    var resolvedPath: RawPath
}

// Resolves paths and adds a watch for each lookup. It changes no state: the caller records the watches.
extension WatchCore {
    /// Walks a path from `start` to its end.
    ///
    /// Each directory is watched before a name is looked up in it. So if an entry is replaced during the walk,
    /// an event has already been queued, which invalidates the path again.
    ///
    /// - Parameter firstWatch: The existing watch on the directory of the first lookup; `nil` to add one.
    func resolution(from start: PathWalk, firstWatch: Int32?) -> Resolution {
        var walk = start
        var steps: [WatchedPath.Step] = []
        var lastInode: Inode?
        while true {
            let walkBeforeLookup = walk
            guard let lookup = walk.next() else { break }
            var step = WatchedPath.Step(walk: walkBeforeLookup, lookup: lookup)
            if steps.isEmpty, let firstWatch {
                step.watch = firstWatch
            } else {
                (step.watch, step.problem) = addWatch(lookup.directory, as: .directory)
            }
            let inode = Inode(at: lookup.path)
            step.isLink = inode.isLink
            steps.append(step)
            walk.take(inode.walkAnswer, to: lookup)
            lastInode = inode
        }
        let isReached = walk.ending == .reached
        let end = isReached ? makeEnd(lastInode ?? Inode(at: walk.path), at: walk.path) : nil
        return Resolution(steps: steps, end: end, resolvedPath: walk.path)
    }

    /// Returns the end of a path that leads to `inode`, and watches it; `nil` if there is nothing to watch.
    func makeEnd(_ inode: Inode, at path: RawPath) -> WatchedPath.End? {
        var end: WatchedPath.End
        switch inode {
        case .directory(let signature):
            end = WatchedPath.End(isDirectory: true, links: 1, signature: signature)
        case .file(let signature, let links):
            end = WatchedPath.End(isDirectory: false, links: links, signature: signature)
        case .link, .missing: return nil
        }
        // A write to a device such as `/dev/null` does not change it.
        if end.signature?.isOfDevice == true { return end }
        (end.watch, end.problem) = addWatch(path, as: end.isDirectory ? .directory : .file)
        return end
    }

    private func addWatch(_ path: RawPath, as target: WatchTarget) -> (Int32?, Problem?) {
        guard let backend else { return (nil, backendProblem) }
        do {
            return (try backend.add(path, as: target), nil)
        } catch {
            return (nil, Problem(watching: path, rejected: error))
        }
    }
}
