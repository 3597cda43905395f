/// The state and the decisions of a hub. Time is passed in; the only effects are calls to the source, `stat`,
/// `lstat`, `readlink` and `statfs`.
///
/// It is protected by the hub's mutex and never runs callbacks.
struct WatchCore {
    typealias Instant = ContinuousClock.Instant

    /// An event to be delivered to a subscription.
    struct Delivery: Sendable {
        var subscription: Subscription
        var event: FileEvent
    }

    /// The means of learning of changes.
    enum Sense: Sendable {
        case inotify, polling, manual
    }

    let sense: Sense
    /// The inotify instance, while one is open.
    var source: (any NoticeSource)?
    /// The reason why none is open.
    var sourceProblem: Problem?
    private(set) var paths: [Int: WatchedPath] = [:]
    private var numbers: [WatchedPath.Key: Int] = [:]
    private var lastNumber = 0
    var table = WatchTable()
    var schedule = PollSchedule()
    var retry = Retry()
    /// Paths that inotify could not watch.
    var troubled: Set<Int> = []
    /// Paths to be resolved again, with the lookup to start from and the cause.
    var suspects: [Int: Suspicion] = [:]
    /// Paths with a pending event.
    private(set) var pending: Set<Int> = []
    private var outbox: [Delivery] = []
    /// Reused to avoid reallocation.
    private var notices: [Notice] = []

    init(_ sense: Sense) {
        self.sense = sense
    }

    var isEmpty: Bool { paths.isEmpty }

    /// The next time at which there is work to do even without an event.
    var due: Instant? {
        let ripe = pending.lazy.compactMap { paths[$0]?.settler.due }.min()
        return earliest(earliest(ripe, schedule.due), retry.due)
    }

    /// True if a turn is needed immediately.
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

    /// Returns the watched path of a subscription; nil if it is not watched.
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

    /// Processes all queued events and returns the events that are due for delivery.
    mutating func turn(now: Instant) -> [Delivery] {
        takeNotices(now: now)
        tryAgainIfDue(now: now)
        // Most events of a busy directory affect no watched path.
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

    /// Removes the watches that are no longer used; done after the callbacks, so that it delays none of them.
    mutating func tidy() {
        let idle = table.takeIdle()
        guard let source else { return }
        for watch in idle { source.remove(watch) }
    }

    /// Adds a subscription whose file may have changed since the caller subscribed. It is not known whether a
    /// write is still going on, so the file has to settle.
    mutating func addLate(_ subscription: Subscription, now: Instant) {
        add(subscription, now: now)
        guard let number = numbers[subscription.key] else { return }
        note(number, from: .armed) { $0.note(.written, at: now) }
    }

    /// Has the next turn send one event to each matching subscription, and check everything that is known of
    /// their paths. A path that is being written already has a pending event.
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

    /// Notes a sign of change in the content of a path, which makes an event pending.
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

    /// Refreshes the signatures of the files whose writes are complete. A writer that resumed before this
    /// check has queued an event, so the caller drains events again if this returns true; a writer that
    /// resumes later changes the signature.
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

/// Returns the earlier of two times; nil means never.
func earliest(_ a: ContinuousClock.Instant?, _ b: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}
