extension WatchCore {
    /// Dispatches one event to the paths that it affects.
    mutating func take(_ notice: Notice, now: Instant) {
        if notice.what.contains(.overflow) {
            suspectAll(.began, source: .overflow)
        } else if !notice.what.isDisjoint(with: .selfGone) {
            takeSelfGone(notice)
        } else if notice.name.isEmpty {
            takeContent(notice, now: now)
        } else {
            takeEntry(notice, now: now)
        }
    }

    mutating func suspect(_ number: Int, _ suspicion: Suspicion) {
        suspects[number] = suspects[number]?.merged(with: suspicion) ?? suspicion
    }

    mutating func suspectAll(_ cause: Suspicion.Cause, source: FileEvent.Source) {
        for number in paths.keys {
            suspect(number, Suspicion(step: 0, cause: cause, source: source))
        }
    }

    /// The watched inode was moved, removed or unmounted. If that changes the content, the watch on its
    /// parent reports it.
    private mutating func takeSelfGone(_ notice: Notice) {
        let passing = table.passing(through: notice.watch)
        let ending = table.ending(at: notice.watch)
        for number in passing {
            suspect(number, Suspicion(step: 0, cause: .attributes, source: .inotify))
        }
        for number in ending {
            suspectEnd(number)
        }
        guard notice.what.contains(.watchEnded) else { return }
        table.forget(notice.watch)
        for number in passing.union(ending) {
            paths[number]?.lose(notice.watch)
        }
    }

    private mutating func suspectEnd(_ number: Int) {
        let last = max(0, (paths[number]?.steps.count ?? 0) - 1)
        suspect(number, Suspicion(step: last, cause: .attributes, source: .inotify))
    }

    /// The inode that a path leads to was written, closed or given other attributes.
    private mutating func takeContent(_ notice: Notice, now: Instant) {
        for number in table.ending(at: notice.watch) {
            if notice.what.contains(.modified) {
                note(number, from: .inotify) { $0.note(.written, at: now) }
            } else if notice.what.contains(.closedAfterWriting) {
                note(number, from: .inotify) { $0.note(.closed, at: now) }
            } else if notice.what.contains(.attributes) {
                // The link count may have changed, which means that the file was removed.
                suspectEnd(number)
            }
        }
    }

    /// An entry of a watched directory was created, removed, renamed or given other attributes.
    private mutating func takeEntry(_ notice: Notice, now: Instant) {
        for number in table.looking(for: notice.name, in: notice.watch) {
            let step = paths[number]?.step(of: notice.watch, name: notice.name) ?? 0
            suspect(number, Suspicion(step: step, cause: notice.cause, source: .inotify))
        }
        guard !notice.what.isDisjoint(with: .listing) else { return }
        for number in table.ending(at: notice.watch) {
            note(number, from: .inotify) { $0.note(.complete, at: now) }
        }
    }
}

extension Notice {
    /// The cause that the event gives for the entry it names.
    fileprivate var cause: Suspicion.Cause {
        if what.contains(.movedTo) { return .replaced }
        return what.contains(.attributes) ? .attributes : .began
    }
}
