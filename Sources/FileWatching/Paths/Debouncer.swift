import PrefsSystem

/// The state that decides when the changes of one path are due to be reported. Pure: time is passed in.
struct Debouncer: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    /// A noticed change, classified by its consequence for the content.
    enum Change: Sendable, Hashable {
        /// The content is complete: renamed into place, linked, or a directory whose listing changed.
        case complete
        /// A writer that has the file open wrote or truncated it, and its close is still to come.
        case modified
        /// The file is new, or another revision, and may still be written. Its close may have passed unnoticed.
        case written
        /// As `written`, but the file looks as if its writer had just begun: it is empty, for example.
        case begun
        /// A process has created the file and written to it. Its close is still to come, unless the file was
        /// created without a name.
        case created
        /// A writer closed the file.
        case closed
        /// The file no longer exists, perhaps only for a moment.
        case removed
        /// Attributes changed, which says nothing about a write in progress.
        case attributes
    }

    private enum Phase: Sendable, Hashable {
        case idle
        case settling(since: Instant, until: Instant, isOpen: Bool)
        /// The file does not exist.
        case gone(since: Instant, until: Instant)
        case due(Instant)
    }

    let settling: FileSettling
    private var phase = Phase.idle

    init(_ settling: FileSettling) {
        self.settling = settling
    }

    /// The time when the event is due; `nil` if no event is pending.
    var due: Instant? {
        switch phase {
        case .idle: nil
        case .settling(_, let until, _), .gone(_, let until): until
        case .due(let since): since
        }
    }

    /// True while the watcher waits for the end of a write, or for a missing file to come back.
    var isSettling: Bool {
        switch phase {
        case .settling, .gone: true
        case .idle, .due: false
        }
    }

    /// True while a writer has the file open, as far as the watcher knows.
    var isBeingWritten: Bool {
        if case .settling(_, _, isOpen: true) = phase { true } else { false }
    }

    /// True while the watcher waits for a missing file to come back.
    var isGone: Bool {
        if case .gone = phase { true } else { false }
    }

    mutating func note(_ change: Change, at now: Instant) {
        switch change {
        case .complete, .closed: phase = .due(now)
        case .modified: wait(for: settling.limit, from: now, isOpen: true)
        case .created: wait(for: max(settling.quiet, settling.longQuiet), from: now, isOpen: true)
        case .written: wait(for: settling.quiet, from: now)
        case .begun: wait(for: max(settling.quiet, settling.longQuiet), from: now)
        case .removed:
            let end = now + min(settling.quiet, settling.limit).clamped
            phase = .gone(since: now, until: end)
        case .attributes: if phase == .idle { phase = .due(now) }
        }
    }

    /// Returns true if the event is due now. Then it also resets, so that the next change starts from scratch.
    mutating func take(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        phase = .idle
        return true
    }

    /// Waits for some time from now on, but never shorter than a wait that is already in progress, and never
    /// longer than the limit.
    private mutating func wait(for time: Duration, from now: Instant, isOpen: Bool = false) {
        var (start, end, isOpen) = (now, now + time.clamped, isOpen)
        switch phase {
        case .settling(let since, let until, let wasOpen):
            (start, end, isOpen) = (since, max(end, until), isOpen || wasOpen)
        case .due(let since): start = since
        case .gone, .idle: break
        }
        phase = .settling(since: start, until: min(end, start + settling.limit.clamped), isOpen: isOpen)
    }
}
