import PrefsSystem

/// The state and the decisions of a hub. Time is passed in; the only effects are calls to the backend, `stat`,
/// `lstat`, `readlink` and `statfs`.
///
/// The hub's mutex protects it. It never runs callbacks.
struct WatchCore {
    typealias Instant = ContinuousClock.Instant

    /// An event to be delivered to a subscription.
    struct Delivery: Sendable {
        var subscription: Subscription
        var event: FileEvent
    }

    /// The mechanism that reports changes.
    enum EventMode: Sendable {
        case inotify, polling, manual
    }

    let mode: EventMode
    /// The inotify instance, while one is open.
    var backend: (any InotifyBackend)?
    /// The reason why no instance is open.
    var backendProblem: Problem?
    private(set) var paths: [Int: WatchedPath] = [:]
    /// The numbers of the watched paths, by path; several if it is watched with different settings.
    private var numbers: [String: [Int]] = [:]
    private var lastNumber = 0
    var table = WatchTable()
    var schedule = PollSchedule()
    var retry = Retry()
    /// The files and folders that have just been created in the watched directories.
    var newEntries = NewEntries()
    /// The time of the last removal of a watched file.
    private var lastRemoval: Instant?
    /// Paths that inotify could not watch.
    var unwatchable: Set<Int> = []
    /// Paths to be resolved again, with the lookup to start from and the cause.
    var invalidated: [Int: Invalidation] = [:]
    /// Paths to be invalidated once a poll has shown that their file system answers.
    var unreached: [Int: Invalidation] = [:]
    /// Paths with a pending event.
    private(set) var pending: Set<Int> = []
    private var outbox: [Delivery] = []
    /// True if the backend may have events that its descriptor does not show.
    private var hasUnreadEvents = false
    /// Reused to avoid reallocation.
    private var events: [InotifyEvent] = []

    init(_ mode: EventMode) {
        self.mode = mode
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Returns the next time when there is work even without an event.
    ///
    /// - Parameter isDelivering: True if the events that are due have to wait.
    func due(isDelivering: Bool) -> Instant? {
        let event = isDelivering ? nil : pending.lazy.compactMap { paths[$0].flatMap(due) }.min()
        return earliest(earliest(event, schedule.due), retry.due)
    }

    /// Returns true if ``processEvents(now:isDelivering:)`` must be called immediately.
    func isUrgent(isDelivering: Bool) -> Bool {
        hasUnreadEvents || !invalidated.isEmpty || !outbox.isEmpty && !isDelivering
    }

    mutating func add(_ subscription: Subscription, now: Instant) {
        let key = subscription.key
        if let number = number(of: key) {
            paths[number]?.subscriptions.append(subscription)
            return
        }
        lastNumber += 1
        numbers[key.path, default: []].append(lastNumber)
        let path = WatchedPath(key)
        path.subscriptions = [subscription]
        begin(path, lastNumber, now: now)
        paths[lastNumber] = path
        waitForCreation(of: path, lastNumber, now: now)
    }

    private func number(of key: WatchedPath.Key) -> Int? {
        numbers[key.path]?.first { paths[$0]?.key == key }
    }

    /// Returns the watched path of a subscription; `nil` if it is not watched.
    func path(of subscription: Subscription) -> WatchedPath? {
        let path = number(of: subscription.key).flatMap { paths[$0] }
        return path?.subscriptions.contains { $0 === subscription } == true ? path : nil
    }

    mutating func remove(_ subscription: Subscription) {
        guard let number = number(of: subscription.key) else { return }
        paths[number]?.subscriptions.removeAll { $0 === subscription }
        guard let path = paths[number], path.subscriptions.isEmpty else { return }
        release(path.steps, path.end, by: number)
        if let pace = path.pace { schedule.remove(number, from: pace) }
        invalidated[number] = nil
        unreached[number] = nil
        pending.remove(number)
        unwatchable.remove(number)
        numbers[path.key.path]?.removeAll { $0 == number }
        if numbers[path.key.path] == [] { numbers[path.key.path] = nil }
        paths[number] = nil
    }

    /// Processes all queued events and returns the events that are due for delivery.
    ///
    /// - Parameter isDelivering: True if the events that are due have to wait, because others are being delivered.
    mutating func processEvents(now: Instant, isDelivering: Bool = false) -> [Delivery] {
        readEvents(now: now)
        retryIfDue(now: now)
        // Most events of a busy directory affect no watched path.
        if invalidated.isEmpty, pending.isEmpty, outbox.isEmpty { return [] }
        resolveInvalidated(now: now)
        if isDelivering { return [] }
        confirmSignatures(now: now)
        for number in pending { deliver(number, now: now) }
        defer { outbox = [] }
        return outbox
    }

    /// Reads all queued events and resolves the paths that they affect, without delivering anything.
    mutating func synchronize(now: Instant) {
        readEvents(now: now)
        resolveInvalidated(now: now)
    }

    /// Removes the watches that are no longer used. Call it after the callbacks, so that it delays none of them.
    mutating func removeIdleWatches() {
        let idle = table.takeIdle()
        guard let backend else { return }
        for watch in idle { backend.remove(watch) }
    }

    /// Returns the paths with a matching subscription, by number.
    func paths(where isIncluded: (Subscription) -> Bool) -> [Int: String] {
        paths.filter { $0.value.subscriptions.contains(where: isIncluded) }.mapValues(\.key.path)
    }

    /// Queues one event for each matching subscription, and makes the next round check everything that is known
    /// of their paths. A path that is being written already has a pending event.
    ///
    /// - Parameter signatures: The signatures of the files that the paths lead to, by number.
    mutating func send(
        _ source: FileEvent.Source, signatures: [Int: FileSignature?],
        where isIncluded: (Subscription) -> Bool
    ) {
        for (number, path) in paths where !pending.contains(number) {
            let subscriptions = path.subscriptions.filter(isIncluded)
            guard !subscriptions.isEmpty else { continue }
            // A path that was added since then has no older content to report.
            guard let signature = signatures[number] else { continue }
            outbox += subscriptions.map { Delivery(subscription: $0, event: $0.event(source, signature)) }
            guard mode == .inotify else { continue }
            invalidate(number, Invalidation(step: 0, cause: .recheck, source: .poll))
        }
    }

    /// Notes a change of the content of a path, which makes an event pending.
    mutating func note(
        _ change: Debouncer.Change, of number: Int, from source: FileEvent.Source, at now: Instant
    ) {
        guard let path = paths[number] else { return }
        path.note(change, at: now)
        if change == .removed { lastRemoval = now }
        path.source = source
        pending.insert(number)
    }

    private mutating func readEvents(now: Instant) {
        guard let backend else {
            hasUnreadEvents = false
            return
        }
        events.removeAll(keepingCapacity: true)
        hasUnreadEvents = backend.drain(into: &events)
        for event in events { dispatch(event, now: now) }
    }

    /// Establishes the revision of each file whose event is due.
    ///
    /// A writer that began before a signature was taken has queued an event, which is read afterwards. A writer that
    /// begins later changes the signature. So a file that has the signature when it is read is complete.
    private mutating func confirmSignatures(now: Instant) {
        // If somebody writes all the time, a later round goes on.
        for _ in 0..<4 {
            let due = pending.compactMap { paths[$0] }.filter { isDue($0, at: now) && $0.check != .confirmed }
            if due.isEmpty { return }
            for path in due {
                if path.check == .outdated { path.recordSignature(FileSignature(path: path.key.path)) }
                path.confirmSignature()
            }
            synchronize(now: now)
            for path in due where path.check == .confirmed { path.waitIfEmpty(at: now) }
        }
    }

    /// Returns the time when the event of a path is due.
    ///
    /// Files that are removed one after the other, as by `rm -r`, are reported together, after the last removal.
    private func due(_ path: WatchedPath) -> Instant? {
        guard let due = path.debouncer.due else { return nil }
        guard path.debouncer.isGone, let lastRemoval else { return due }
        let settling = path.key.settling
        return max(due, min(lastRemoval + settling.quiet.clamped, due + settling.longQuiet.clamped))
    }

    private func isDue(_ path: WatchedPath, at now: Instant) -> Bool { due(path).map { $0 <= now } ?? false }

    private mutating func deliver(_ number: Int, now: Instant) {
        guard let path = paths[number], isDue(path, at: now), path.check == .confirmed else { return }
        let signature = path.current
        let isDue = path.pace != .only || path.hasSettled(signature, now: now)
        if isDue, path.debouncer.take(at: now) {
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
