/// Everything a hub knows, and what it decides. Time is passed in; the effects are calls of the source,
/// `lstat` and `readlink`.
///
/// It lives under the hub's lock and never calls back.
struct WatchCore {
    typealias Instant = ContinuousClock.Instant

    /// An event on its way to the one who wants it.
    struct Delivery: Sendable {
        var subscription: Subscription
        var event: FileEvent
    }

    /// How changes are learned of.
    enum Sense: Sendable {
        case inotify, polling, manual
    }

    let sense: Sense
    /// The inotify instance while there is one.
    var source: (any NoticeSource)?
    /// Why there is none.
    var sourceProblem: Problem?
    private(set) var paths: [Int: WatchedPath] = [:]
    private var numbers: [WatchedPath.Key: Int] = [:]
    private var lastNumber = 0
    var table = WatchTable()
    var schedule = PollSchedule()
    var retry = Retry()
    /// Paths that inotify is refused for.
    var troubled: Set<Int> = []
    /// Paths to be resolved again, from where and why.
    var suspects: [Int: Suspicion] = [:]
    /// Paths with an event to come.
    private(set) var pending: Set<Int> = []
    private var outbox: [Delivery] = []
    /// Kept, so that its memory is.
    private var notices: [Notice] = []

    init(_ sense: Sense) {
        self.sense = sense
    }

    var isEmpty: Bool { paths.isEmpty }

    /// When there is something to do even if nothing is noticed.
    var due: Instant? {
        let ripe = pending.lazy.compactMap { paths[$0]?.settler.due }.min()
        return earliest(earliest(ripe, schedule.due), retry.due)
    }

    /// Whether a turn is wanted at once.
    var isUrgent: Bool { !suspects.isEmpty || !outbox.isEmpty }

    mutating func add(_ subscription: Subscription, now: Instant) {
        let key = subscription.key
        if let number = numbers[key] {
            paths[number]?.subscriptions.append(subscription)
            return
        }
        lastNumber += 1
        numbers[key] = lastNumber
        let path = WatchedPath(key)
        path.subscriptions = [subscription]
        begin(path, lastNumber, now: now)
        paths[lastNumber] = path
    }

    /// What is known of a subscription's path; nil where it is not watched.
    func path(of subscription: Subscription) -> WatchedPath? {
        let path = numbers[subscription.key].flatMap { paths[$0] }
        return path?.subscriptions.contains { $0 === subscription } == true ? path : nil
    }

    mutating func remove(_ subscription: Subscription) {
        guard let number = numbers[subscription.key] else { return }
        paths[number]?.subscriptions.removeAll { $0 === subscription }
        guard let path = paths[number], path.subscriptions.isEmpty else { return }
        release(path.steps, path.end, by: number)
        if let pace = path.pace { schedule.remove(number, from: pace) }
        suspects[number] = nil
        pending.remove(number)
        troubled.remove(number)
        numbers[subscription.key] = nil
        paths[number] = nil
    }

    /// Goes through everything noticed and returns the events that are ripe.
    mutating func turn(now: Instant) -> [Delivery] {
        takeNotices(now: now)
        tryAgainIfDue(now: now)
        // Most notices of a busy directory concern nobody.
        if suspects.isEmpty, pending.isEmpty, outbox.isEmpty { return [] }
        investigate(now: now)
        if peek(now: now) {
            takeNotices(now: now)
            investigate(now: now)
        }
        for number in pending { deliver(number, now: now) }
        defer { outbox = [] }
        return outbox
    }

    /// Gives back what is no longer used; left for after the callbacks, where nobody waits for it.
    mutating func tidy() {
        let idle = table.takeIdle()
        guard let source else { return }
        for watch in idle { source.remove(watch) }
    }

    /// Takes up a subscription that could have been changed behind its back before this. Whether that is
    /// going on still is not known, so it has to settle.
    mutating func addLate(_ subscription: Subscription, now: Instant) {
        add(subscription, now: now)
        guard let number = numbers[subscription.key] else { return }
        note(number, from: .armed) { $0.note(.written, at: now) }
    }

    /// The next turn sends the subscriptions meant an event each, and takes nothing known of their paths for
    /// granted. A path that is being written has an event to come already.
    mutating func send(_ source: FileEvent.Source, where isMeant: (Subscription) -> Bool) {
        for (number, path) in paths where !pending.contains(number) {
            let subscriptions = path.subscriptions.filter(isMeant)
            guard !subscriptions.isEmpty else { continue }
            let signature = sense == .manual ? nil : FileSignature(path: path.key.path)
            outbox += subscriptions.map { Delivery(subscription: $0, event: $0.event(source, signature)) }
            guard sense == .inotify else { continue }
            suspect(number, Suspicion(step: 0, cause: .doubt, source: .poll))
        }
    }

    /// Something was noticed about the content of a path.
    mutating func note(
        _ number: Int, from source: FileEvent.Source, _ sign: (inout Settler) -> Void
    ) {
        guard let path = paths[number] else { return }
        sign(&path.settler)
        path.source = source
        pending.insert(number)
    }

    private mutating func takeNotices(now: Instant) {
        guard let source else { return }
        notices.removeAll(keepingCapacity: true)
        source.drain(into: &notices)
        for notice in notices { take(notice, now: now) }
    }

    /// Looks at the files that count as written now. Who began to write again before this look has left a
    /// notice, so the notices are to be taken once more; who begins later changes the signature.
    private mutating func peek(now: Instant) -> Bool {
        var hasPeeked = false
        for number in pending {
            guard let path = paths[number], path.isRipe(at: now), path.signed != now else { continue }
            path.sign(FileSignature(path: path.key.path), at: now)
            hasPeeked = true
        }
        return hasPeeked
    }

    private mutating func deliver(_ number: Int, now: Instant) {
        guard let path = paths[number], path.isRipe(at: now) else { return }
        let signature = path.current
        let isRipe = path.pace != .only || path.hasSettled(signature, now: now)
        if isRipe, path.settler.take(at: now) {
            pending.remove(number)
            path.signature = signature
            path.polled = signature
            for subscription in path.subscriptions {
                let event = subscription.event(path.source, signature)
                outbox.append(Delivery(subscription: subscription, event: event))
            }
        }
    }
}

/// The earlier of two times, either of which may be never.
func earliest(_ a: ContinuousClock.Instant?, _ b: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}
