/// The state that decides when the changes of one path are due to be reported. Pure: time is passed in.
struct Settler: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    /// A noticed change, classified by what it implies for the content.
    enum Sign: Sendable, Hashable {
        /// The content is complete: renamed into place, linked, or a directory whose listing changed.
        case complete
        /// The file is being written, or is new and may still be written.
        case written
        /// A writer closed the file.
        case closed
        /// The file no longer exists, perhaps only for a moment.
        case gone
    }

    private enum Phase: Sendable, Hashable {
        case calm
        case settling(since: Instant, until: Instant)
        case ripe(Instant)
    }

    let settling: FileSettling
    private var phase = Phase.calm

    init(_ settling: FileSettling) {
        self.settling = settling
    }

    /// The time at which the event is due; nil if none is pending.
    var due: Instant? {
        switch phase {
        case .calm: nil
        case .settling(_, let until): until
        case .ripe(let since): since
        }
    }

    mutating func note(_ sign: Sign, at now: Instant) {
        switch sign {
        case .complete, .closed: phase = .ripe(now)
        case .written, .gone: wait(from: now)
        }
    }

    /// Notes changed attributes. They cause an event, but say nothing about a write in progress.
    mutating func noteAttributes(at now: Instant) {
        if case .calm = phase { phase = .ripe(now) }
    }

    /// Returns true if the event is due now, and resets, so that the next change starts from scratch.
    mutating func take(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        phase = .calm
        return true
    }

    private mutating func wait(from now: Instant) {
        var start = now
        if case .settling(let since, _) = phase { start = since }
        phase = .settling(since: start, until: min(now + settling.quiet, start + settling.limit))
    }
}
