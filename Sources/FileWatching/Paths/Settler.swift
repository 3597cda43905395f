/// When the changes of one path are ripe to be reported. Pure: time is passed in.
struct Settler: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    /// What was noticed, by what it says about the content.
    enum Sign: Sendable, Hashable {
        /// Complete as it is: renamed into place, linked, other attributes, another listing.
        case complete
        /// Being written, or new and perhaps still to be written.
        case written
        /// Closed by a writer.
        case closed
        /// Nothing is there any more; perhaps only for a moment.
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

    /// When the event should go out; nil if there is none.
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

    /// Other attributes are worth an event, but say nothing about a write that goes on.
    mutating func noteAttributes(at now: Instant) {
        if case .calm = phase { phase = .ripe(now) }
    }

    /// Whether the event goes out now; the next change starts anew.
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
