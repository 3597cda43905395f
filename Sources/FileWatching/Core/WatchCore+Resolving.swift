import PrefsSystem
extension WatchCore {
    /// Starts watching a path.
    mutating func begin(_ path: WatchedPath, _ number: Int, now: Instant) {
        if sense == .inotify {
            resolve(path, number, from: 0)
            path.signature = path.end?.signature
        } else if sense == .polling {
            path.signature = FileSignature(path: path.key.path)
        }
        path.polled = path.signature
        keepPace(path, number, now: now)
    }

    /// Resolves the invalidated paths, and notes what that shows about their content.
    mutating func investigate(now: Instant) {
        while let (number, suspicion) = suspects.popFirst() {
            guard let path = paths[number] else { continue }
            let before = path.end
            if !lookAgain(path, number, at: suspicion.step) {
                resolve(path, number, from: min(suspicion.step, path.steps.count))
                keepPace(path, number, now: now)
            }
            let sign = suspicion.sign(of: path, before: before)
            path.sign(path.end?.signature, at: now)
            path.polled = path.end?.signature
            conclude(sign, number, from: suspicion, now: now)
        }
    }

    private mutating func conclude(
        _ sign: Suspicion.Sign?, _ number: Int, from suspicion: Suspicion, now: Instant
    ) {
        switch sign {
        case nil: break
        case .attributes: note(number, from: suspicion.source) { $0.noteAttributes(at: now) }
        case .settle(let sign): note(number, from: suspicion.source) { $0.note(sign, at: now) }
        }
    }

    /// Resolves a path again, starting from one of its lookups, and moves its watches accordingly.
    ///
    /// Each directory is watched before a name is looked up in it. An entry that is replaced during the walk
    /// has therefore already queued an event, which leads here again.
    private mutating func resolve(_ path: WatchedPath, _ number: Int, from first: Int) {
        let (steps, end) = (path.steps[first...], path.end)
        var walk = steps.first?.walk ?? PathWalk(path.key.path)
        // The directory of the first lookup is known to be unchanged: its watch stays.
        var watch = steps.first?.watch
        path.steps.removeSubrange(first...)
        var found = Inode.nothing(Errno(0))
        var before = walk
        while let lookup = walk.next() {
            var step = WatchedPath.Step(walk: before, lookup: lookup, watch: watch)
            if watch == nil { (step.watch, step.problem) = arm(lookup.directory, as: .directory) }
            watch = nil
            if let watch = step.watch { table.use(watch, name: lookup.name, by: number) }
            found = Inode(at: lookup.path)
            step.isLink = found.isLink
            path.steps.append(step)
            walk.found(found.onTheWay, at: lookup)
            before = walk
        }
        if path.steps.isEmpty { found = Inode(at: walk.path) }
        path.end = walk.ending == .reached ? makeEnd(found, at: walk.path, number) : nil
        if first == 0 { path.blindness = blindness(at: walk.path) }
        release(steps, end, keeping: path, by: number)
    }

    /// Handles the usual case fast: only the answer to the last lookup can have changed, and it is neither a
    /// link nor a file that could not be watched. Returns false if the path must be resolved instead.
    private mutating func lookAgain(_ path: WatchedPath, _ number: Int, at step: Int) -> Bool {
        guard let last = path.steps.last, step == path.steps.count - 1 else { return false }
        guard let before = path.end, last.watch != nil, !last.isLink else { return false }
        let found = Inode(at: last.lookup.path)
        if found.isLink || before.problem != nil { return false }
        path.end = makeEnd(found, at: last.lookup.path, number)
        release(EmptyCollection(), before, keeping: path, by: number)
        return path.end?.problem == nil
    }

    private mutating func makeEnd(_ found: Inode, at path: String, _ number: Int) -> WatchedPath.End? {
        var end: WatchedPath.End
        switch found {
        case .directory(let signature):
            end = WatchedPath.End(isDirectory: true, links: 1, signature: signature)
        case .file(let signature, let links):
            end = WatchedPath.End(isDirectory: false, links: links, signature: signature)
        case .link, .nothing: return nil
        }
        (end.watch, end.problem) = arm(path, as: end.isDirectory ? .directory : .file)
        if let watch = end.watch { table.use(watch, asEndBy: number) }
        return end
    }

    private func arm(_ path: String, as target: WatchTarget) -> (Int32?, Problem?) {
        guard let source else { return (nil, sourceProblem) }
        do {
            return (try source.add(path, as: target), nil)
        } catch {
            return (nil, Problem(watching: path, rejected: error))
        }
    }

    /// Returns the problem of a file system without reliable events. Called when the path was resolved from
    /// its start, not for each replaced file, because it costs a system call.
    private func blindness(at path: String) -> Problem? {
        BlindFileSystem.name(at: path).map(Problem.blind)
    }

    /// Releases the watches that a path used and no longer uses.
    mutating func release(
        _ steps: some Sequence<WatchedPath.Step>, _ end: WatchedPath.End?,
        keeping path: WatchedPath? = nil, by number: Int
    ) {
        for step in steps {
            guard let watch = step.watch, path?.uses(watch, name: step.lookup.name) != true else { continue }
            table.release(watch, name: step.lookup.name, by: number)
        }
        if let watch = end?.watch, path?.end?.watch != watch {
            table.release(watch, asEndBy: number)
        }
    }

    /// Polls a path as often as it needs, and schedules a retry if inotify could not watch it.
    private mutating func keepPace(_ path: WatchedPath, _ number: Int, now: Instant) {
        if path.rejection == nil {
            troubled.remove(number)
        } else {
            troubled.insert(number)
            retry.begin(at: now)
        }
        let pace = pace(of: path)
        guard pace != path.pace else { return }
        if let old = path.pace { schedule.remove(number, from: old) }
        if let pace { schedule.add(number, at: pace, now: now) }
        path.pace = pace
    }

    private func pace(of path: WatchedPath) -> PollSchedule.Pace? {
        switch sense {
        case .manual: nil
        case .polling: .only
        case .inotify: path.problem == nil ? path.key.safetyPoll.map(PollSchedule.Pace.safety) : .only
        }
    }
}
