extension WatchCore {
    /// Sorts one notice to the paths it concerns.
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

    /// The watched inode was moved, removed or unmounted. What that means for the content is told by the
    /// watch on its parent, if there is anything to tell.
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

    /// Something happened to the inode a path leads to.
    private mutating func takeContent(_ notice: Notice, now: Instant) {
        for number in table.ending(at: notice.watch) {
            if notice.what.contains(.modified) {
                note(number, from: .inotify) { $0.note(.written, at: now) }
            } else if notice.what.contains(.closedAfterWriting) {
                note(number, from: .inotify) { $0.note(.closed, at: now) }
            } else if notice.what.contains(.attributes) {
                // It may be the number of links that changed: the file was removed.
                suspectEnd(number)
            }
        }
    }

    /// Something happened to an entry of a directory.
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
    /// What it says about the entry it names.
    fileprivate var cause: Suspicion.Cause {
        if what.contains(.movedTo) { return .replaced }
        return what.contains(.attributes) ? .attributes : .began
    }
}
