import PrefsSystem

extension WatchCore {
    /// Starts watching a path.
    mutating func begin(_ path: WatchedPath, _ number: Int, now: Instant) {
        if mode == .inotify {
            resolve(path, number, from: 0)
            path.signature = path.end?.signature
        } else if mode == .polling {
            path.signature = FileSignature(path: path.key.path)
        }
        path.recordSignature(path.signature)
        path.polled = path.signature
        updatePolling(of: path, number, now: now)
    }

    /// Delays the first event of a path until the end of a write that may have begun before the path was watched.
    mutating func waitForCreation(of path: WatchedPath, _ number: Int, now: Instant) {
        guard mode == .inotify, let end = path.end, !end.isDirectory, end.links == 1 else { return }
        switch way(to: path, .inotify, now: now) {
        case .newFile: note(WatchedPath.creation(of: end), of: number, from: .inotify, at: now)
        case .newFolder: note(path.write(end), of: number, from: .inotify, at: now)
        case .known, .unknown:
            // Somebody may have begun to write the file just before it was watched.
            guard end.signature?.isOfEmptyFile == true else { return }
            note(.begun, of: number, from: .inotify, at: now)
        }
    }

    /// Resolves the invalidated paths, and notes the changes of their content that this reveals.
    mutating func resolveInvalidated(now: Instant) {
        while let (number, invalidation) = invalidated.popFirst() {
            guard let path = paths[number] else { continue }
            let before = path.end
            if !tryFastPath(path, number, at: invalidation.step) {
                resolve(path, number, from: invalidation.step)
                updatePolling(of: path, number, now: now)
            }
            let change = invalidation.change(
                of: path, before: before, way: way(to: path, invalidation.source, now: now),
                isInOtherFolder: path.isInOtherFolder)
            if let change { note(change, of: number, from: invalidation.source, at: now) }
            path.recordSignature(path.end?.signature)
            path.polled = path.end?.signature
        }
    }

    /// Resolves a path again, starting from one of its lookups, and updates the watches it uses.
    private mutating func resolve(_ path: WatchedPath, _ number: Int, from step: Int) {
        let first = path.steps.indices.contains(step) ? step : 0
        let (oldSteps, oldEnd) = (path.steps[first...], path.end)
        let resolution = resolution(
            from: oldSteps.first?.walk ?? PathWalk(RawPath(path.key.path)), firstWatch: oldSteps.first?.watch)
        path.steps.replaceSubrange(first..., with: resolution.steps)
        path.end = resolution.end
        if first == 0 {
            // Not for each replaced file, because it costs a system call.
            path.unreliableReason = UnreliableFileSystem.name(at: resolution.resolvedPath)
                .map(Problem.unreliable)
        }
        for step in resolution.steps {
            if let watch = step.watch { table.use(watch, name: step.lookup.name, by: number) }
        }
        useEnd(of: path, by: number)
        release(oldSteps, oldEnd, keeping: path, by: number)
    }

    /// Handles the usual case fast: only the answer to the last lookup can have changed, and it is neither a
    /// link nor a file that could not be watched. Returns false if the path must be resolved instead.
    private mutating func tryFastPath(_ path: WatchedPath, _ number: Int, at step: Int) -> Bool {
        guard let last = path.steps.last, step == path.steps.count - 1 else { return false }
        guard let before = path.end, last.watch != nil, !last.isLink else { return false }
        let inode = Inode(at: last.lookup.path)
        if inode.isLink || before.problem != nil { return false }
        path.end = makeEnd(inode, at: last.lookup.path)
        useEnd(of: path, by: number)
        release(EmptyCollection(), before, keeping: path, by: number)
        return path.end?.problem == nil
    }

    private mutating func useEnd(of path: WatchedPath, by number: Int) {
        if let watch = path.end?.watch { table.use(watch, asEndBy: number) }
    }

    /// Releases the watches that a path used and no longer uses.
    mutating func release(
        _ steps: some Sequence<WatchedPath.Step>, _ end: WatchedPath.End?,
        keeping path: WatchedPath? = nil, by number: Int
    ) {
        for step in steps {
            guard let watch = step.watch, path?.step(of: watch, name: step.lookup.name) == nil else {
                continue
            }
            table.release(watch, name: step.lookup.name, by: number)
        }
        if let watch = end?.watch, path?.end?.watch != watch {
            table.release(watch, asEndBy: number)
        }
    }

    /// Polls a path as often as it needs, and schedules a retry if inotify could not watch it.
    private mutating func updatePolling(of path: WatchedPath, _ number: Int, now: Instant) {
        if path.rejection == nil {
            unwatchable.remove(number)
        } else {
            unwatchable.insert(number)
            retry.begin(at: now)
        }
        let pace = pace(of: path)
        guard pace != path.pace else { return }
        if let old = path.pace { schedule.remove(number, from: old) }
        if let pace { schedule.add(number, at: pace, now: now) }
        path.pace = pace
    }

    private func pace(of path: WatchedPath) -> PollSchedule.Pace? {
        switch mode {
        case .manual: nil
        case .polling: .only
        case .inotify: path.problem == nil ? path.key.safetyPoll.map(PollSchedule.Pace.safety) : .only
        }
    }
}
