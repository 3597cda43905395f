import PrefsSystem

extension WatchCore {
    /// Dispatches one event to the paths that it affects.
    mutating func dispatch(_ event: InotifyEvent, now: Instant) {
        if event.mask.contains(.overflow) {
            newEntries.removeAll()
            invalidateAll(.incomplete, source: .overflow)
        } else if !event.mask.isDisjoint(with: .inodeGone) {
            dispatchInodeGone(event)
        } else if event.name.bytes.isEmpty {
            dispatchContentEvent(event, now: now)
        } else {
            dispatchEntryEvent(event, now: now)
        }
    }

    /// Returns whether something on a path has just been created.
    func way(to path: WatchedPath, _ source: FileEvent.Source, now: Instant) -> Invalidation.Way {
        if source != .inotify { return .unknown }
        var way = Invalidation.Way.known
        for step in path.steps {
            if step.isLink {
                // A link leads elsewhere, and appears in a single step.
                way = .known
            } else if let watch = step.watch, newEntries.contains(step.lookup.name, in: watch, at: now) {
                way = step.isLast && path.end?.isDirectory == false ? .newFile : .newFolder
            }
        }
        return way
    }

    /// Marks a path to be resolved again.
    mutating func invalidate(_ number: Int, _ invalidation: Invalidation) {
        invalidated[number] = invalidated[number]?.merged(with: invalidation) ?? invalidation
    }

    mutating func invalidateAll(_ cause: Invalidation.Cause, source: FileEvent.Source) {
        for number in paths.keys {
            invalidateWhenReachable(number, Invalidation(step: 0, cause: cause, source: source))
        }
    }

    /// Marks a path to be resolved again although no event shows that its file system answers. If the file system
    /// may hang, as NFS may, the path is polled first, which does not hold up other paths.
    mutating func invalidateWhenReachable(_ number: Int, _ invalidation: Invalidation) {
        guard paths[number]?.unreliableReason != nil else { return invalidate(number, invalidation) }
        unreached[number] = unreached[number]?.merged(with: invalidation) ?? invalidation
    }

    /// Handles an event of a watched inode that is gone: it was moved, removed or unmounted. If that changes the
    /// content, the watch on its parent reports it.
    private mutating func dispatchInodeGone(_ event: InotifyEvent) {
        let passing = table.paths(through: event.watch)
        let ending = table.paths(endingAt: event.watch)
        for number in passing {
            invalidate(number, Invalidation(step: 0, cause: .attributes, source: .inotify))
        }
        for number in ending {
            invalidateEnd(number)
        }
        guard event.mask.contains(.watchEnded) else { return }
        table.forget(event.watch)
        for number in passing { paths[number]?.forget(event.watch) }
        for number in ending { paths[number]?.forget(event.watch) }
    }

    private mutating func invalidateEnd(_ number: Int) {
        let last = max(0, (paths[number]?.steps.count ?? 0) - 1)
        invalidate(number, Invalidation(step: last, cause: .attributes, source: .inotify))
    }

    /// Handles an event of the inode that a path leads to: it was written, closed or given other attributes.
    private mutating func dispatchContentEvent(_ event: InotifyEvent, now: Instant) {
        for number in table.paths(endingAt: event.watch) {
            if event.mask.contains(.modified) {
                note(.modified, of: number, from: .inotify, at: now)
            } else if event.mask.contains(.closedAfterWriting) {
                note(.closed, of: number, from: .inotify, at: now)
            } else if event.mask.contains(.attributes) {
                // The link count may have changed, which means that the file was removed.
                invalidateEnd(number)
            }
        }
    }

    /// Handles an event of an entry of a watched directory: it was created, closed, removed, renamed or given
    /// other attributes.
    private mutating func dispatchEntryEvent(_ event: InotifyEvent, now: Instant) {
        if event.mask.contains(.closedAfterWriting) { return dispatchClose(of: event, now: now) }
        noteNewEntry(event, now: now)
        for number in table.paths(lookingUp: event.name, in: event.watch) {
            let step = paths[number]?.step(of: event.watch, name: event.name) ?? 0
            invalidate(number, Invalidation(step: step, cause: event.cause, source: .inotify))
        }
        guard !event.mask.isDisjoint(with: .listing) else { return }
        for number in table.paths(endingAt: event.watch) {
            note(.complete, of: number, from: .inotify, at: now)
        }
    }

    /// Handles the close of an entry of a watched directory by a writer. Unless the file is new, its own watch
    /// reports the close, too.
    private mutating func dispatchClose(of event: InotifyEvent, now: Instant) {
        guard newEntries.remove(event.name, in: event.watch) else { return }
        for number in table.paths(lookingUp: event.name, in: event.watch) {
            note(.closed, of: number, from: .inotify, at: now)
            // A file that was created and closed in one round is complete, even in a new folder.
            guard let creation = invalidated[number] else { continue }
            invalidate(
                number, Invalidation(step: creation.step, cause: .replaced, source: .inotify))
        }
    }

    /// Notes a created name if a path looks it up, or if its directory is watched for its listing. Forgets a
    /// removed or replaced name.
    private mutating func noteNewEntry(_ event: InotifyEvent, now: Instant) {
        guard event.mask.contains(.created) else {
            if !event.mask.isDisjoint(with: .listing) { newEntries.remove(event.name, in: event.watch) }
            return
        }
        let isOfInterest =
            !table.paths(lookingUp: event.name, in: event.watch).isEmpty
            || !table.paths(endingAt: event.watch).isEmpty
        if isOfInterest {
            newEntries.add(event.name, in: event.watch, isFolder: event.mask.contains(.ofFolder), at: now)
        }
    }
}

extension InotifyEvent {
    /// The cause that the event implies for the entry that it names.
    fileprivate var cause: Invalidation.Cause {
        if mask.contains(.movedTo) { return .replaced }
        return mask.contains(.attributes) ? .attributes : .incomplete
    }
}
