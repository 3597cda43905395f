import PrefsSystem

/// The state that decides when the changes of one path are due to be reported. Pure: time is passed in.
struct Debouncer: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    /// A noticed change, classified by what it implies for the content.
    enum Change: Sendable, Hashable {
        /// The content is complete: renamed into place, linked, or a directory whose listing changed.
        case complete
        /// A writer that has the file open wrote or truncated it, and its close is still to come.
        case modified
        /// The file is new or another version, and may still be written; its close may have passed unnoticed.
        case written
        /// A writer closed the file.
        case closed
        /// The file no longer exists, perhaps only for a moment.
        case removed
        /// Attributes changed, which says nothing about a write in progress.
        case attributes
    }

    private enum Phase: Sendable, Hashable {
        case idle
        case settling(since: Instant, until: Instant)
        case due(Instant)
    }

    let settling: FileSettling
    private var phase = Phase.idle

    init(_ settling: FileSettling) {
        self.settling = settling
    }

    /// The time at which the event is due; nil if none is pending.
    var due: Instant? {
        switch phase {
        case .idle: nil
        case .settling(_, let until): until
        case .due(let since): since
        }
    }

    mutating func note(_ change: Change, at now: Instant) {
        switch change {
        case .complete, .closed: phase = .due(now)
        case .modified: wait(for: settling.limit, from: now)
        case .written: wait(for: settling.quiet, from: now)
        case .removed: wait(for: settling.quiet, from: now, endsEarlierWait: true)
        case .attributes: if phase == .idle { phase = .due(now) }
        }
    }

    /// Returns true if the event is due now, and resets, so that the next change starts from scratch.
    mutating func take(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        phase = .idle
        return true
    }

    /// Waits for some time from now on, within the limit, and until the end of the wait in progress.
    ///
    /// - Parameter endsEarlierWait: True if the file for which the wait in progress began no longer matters.
    private mutating func wait(for time: Duration, from now: Instant, endsEarlierWait: Bool = false) {
        var (start, end) = (now, now + time.clamped)
        switch phase {
        case .settling(let since, let until) where !endsEarlierWait: (start, end) = (since, max(end, until))
        case .due(let since): start = since
        case .settling, .idle: break
        }
        phase = .settling(since: start, until: min(end, start + settling.limit.clamped))
    }
}
