import FileWatching
import PrefsDocuments
import PrefsSystem
import Synchronization

/// The last readable contents of one watched place, with its problem and its status.
///
/// An edit is added to the reload queue of the outermost storage, which then has the place read. If a version
/// is unreadable, the contents stay as they are. The source reports this once, and reports the recovery once.
/// Reports are made in the order of the versions, with no mutex held.
final class WatchedSource<Place: SourcePlace>: Reloadable {
    private struct State {
        var place: Place
        /// The paths to watch.
        var paths: Set<String> = []
        /// The reason why the contents are older than the place; `nil` if they are up to date.
        var problem: PrefsError?
        /// The time of the last good reading.
        var lastRead: ContinuousClock.Instant?
        var retries = Retries()
        /// False while another file hides this one, so that its problems do not matter.
        var isReported = true
    }

    let published: PublishedSource
    let diagnostics: PrefsDiagnosticHandler
    // Mutex order: the mutex of `watches`, then `reading`, then the mutex of the published source. None of
    // them is held while paths are watched, reports are made or observers are called. The place is read under
    // `reading`, so that the thread that reads last also publishes last.
    private let reading: Lock<State>
    /// True if a path other than the file of the active contents has had an event.
    private let othersChanged = Atomic(false)
    private let watches = FileWatches()
    /// The reports; added under `reading`.
    private let reports = ObserverQueue()
    private let watcher: FileWatcher
    private let scheduler: any Scheduler

    /// Creates a source that has not been read yet.
    ///
    /// - Parameters:
    ///   - changes: The announcer of the changes. Its queue has the place read. Sources that share an
    ///     announcer are announced together.
    init(
        _ place: Place, _ contents: PrefsSource = .empty, changes: PrefsChangeSource, watcher: FileWatcher,
        diagnostics: PrefsDiagnosticHandler, scheduler: any Scheduler = EventLoop.shared
    ) {
        published = PublishedSource(contents, changes: changes)
        reading = Lock(State(place: place))
        (self.watcher, self.diagnostics, self.scheduler) = (watcher, diagnostics, scheduler)
    }

    var changes: PrefsChangeSource { published.changes }

    /// The reason why the contents are older than the place; `nil` if they are up to date.
    var problem: PrefsError? { reading.withLock { $0.problem ?? $0.place.problem } }

    /// Accesses the place while it is not being read. The closure calls no code of the program.
    func withPlace<Result: Sendable, Failure: Error>(
        _ body: (inout Place) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try reading.withLock { state throws(Failure) in try body(&state.place) }
    }

    /// Returns the state of the place and, if it is a file or a folder, of its watch.
    func status(file: String?, isWritable: Bool = false) -> PrefsSourceStatus {
        let (problem, lastRead) = reading.withLock { ($0.problem ?? $0.place.problem, $0.lastRead) }
        let watching = file.flatMap { watches[$0] }?.status
        return PrefsSourceStatus(
            file: file, problem: problem, lastGood: lastRead, isWritable: isWritable,
            generation: published.snapshot.generation, engine: watching?.engine,
            engineReason: watching?.reason)
    }
}

extension WatchedSource {
    /// Watches some paths, then reads the place for the first time.
    ///
    /// - Parameters:
    ///   - cause: `.file` for a place that has just appeared, and may still be written.
    ///   - isReported: False if another file hides this one, so that its problems are not reported.
    func start(
        watching paths: Set<String>, _ cause: PrefsChangeCause = .start, isReported: Bool = true
    ) {
        reading.withLock { $0.isReported = isReported }
        watch(paths)
        _ = refresh(cause)
        reports.drain()
    }

    /// Watches exactly some paths from now on.
    ///
    /// - Returns: True if one of the paths was not watched before. The place must then be read once more,
    ///   because it may have been edited.
    @discardableResult
    func watch(_ paths: Set<String>) -> Bool {
        reading.withLock { $0.paths = paths }
        return watchPaths()
    }

    /// Watches the paths that the last reading found.
    private func watchPaths() -> Bool {
        watches.follow({ reading.withLock { $0.paths } }) { path in
            watcher.watch(
                path, onEvent: { [weak self] in self?.note($0, at: path) },
                onRoundEnd: { [weak self] in self?.changes.runReloads() })
        }
    }

    private func note(_ event: FileEvent, at path: String) {
        if path != published.value.file { othersChanged.store(true, ordering: .releasing) }
        changes.reloads?.note(self, event.source == .recheck ? .reload : .file)
    }

    /// Reads the place soon, although it has not been edited.
    func readSoon() {
        changes.reloads?.note(self, .file)
        changes.runReloads()
    }

    /// Stops watching a place that is no longer read.
    func end(_ reason: String) {
        watch([])
        reading.withLock { endReporting(&$0, reason) }
        reports.drain()
    }

    /// Begins or ends reporting the problems of the place. They are not reported while another place hides it.
    func report(_ isReported: Bool, _ cause: PrefsChangeCause) -> PrefsNotification? {
        reading.withLock { state in
            if isReported {
                (state.problem, state.isReported) = (nil, true)
            } else {
                endReporting(&state, "another file hides it")
            }
            state.place.forgetVersion()
        }
        let notification = refresh(cause)
        return { [reports] in
            reports.drain()
            notification?()
        }
    }

    private func endReporting(_ state: inout State, _ reason: String) {
        if let problem = state.problem, state.isReported {
            add(PrefsDiagnostic(recoveryFrom: problem, reason))
        }
        (state.problem, state.isReported) = (nil, false)
    }
}

extension WatchedSource {
    /// Reads the place, unless it still has the version that was read last. Publishes its contents without
    /// notifying observers.
    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? {
        refresh(cause, confirmed: [:], attempts: 4)
    }

    /// Reads the place, and reads it again if there is a new path to watch, or a version that the watcher
    /// does not know. The number of attempts is limited: if paths appear or files change all the time, an
    /// event causes the next reading.
    private func refresh(
        _ cause: PrefsChangeCause, confirmed: [String: FileSignature?], attempts: Int
    ) -> PrefsNotification? {
        let othersChanged = othersChanged.exchange(false, ordering: .acquiring)
        let (notification, hasNewPaths, unknown) = update(
            cause, othersChanged: othersChanged, confirmed: confirmed, isLast: attempts == 1
        ) {
            (place, reading) throws(PrefsError) in try place.read(&reading)
        }
        if !unknown.isEmpty { FileWatch.synchronize(unknown.keys.compactMap { watches[$0] }) }
        let mustRepeat = hasNewPaths && watchPaths() || !unknown.isEmpty
        if !mustRepeat { return notification }
        // Other paths have changed, and the next reading has to know that, too.
        if othersChanged { self.othersChanged.store(true, ordering: .releasing) }
        if attempts == 1 { return notification }
        let next = refresh(cause, confirmed: unknown, attempts: attempts - 1)
        guard let notification, let next else { return next ?? notification }
        return {
            notification()
            next()
        }
    }

    /// Publishes contents that this process has written, without notifying observers.
    ///
    /// - Parameter read: Returns false if the place no longer has these contents.
    func adopt(_ read: (inout Place, inout SourceReading) -> Bool) -> PrefsNotification? {
        update(.write, othersChanged: false, confirmed: [:], isLast: true, read).notification
    }

    private func update(
        _ cause: PrefsChangeCause, othersChanged: Bool, confirmed: [String: FileSignature?], isLast: Bool,
        _ read: (inout Place, inout SourceReading) throws(PrefsError) -> Bool
    ) -> (notification: PrefsNotification?, hasNewPaths: Bool, unknown: [String: FileSignature?]) {
        // Before `reading`, because of the order of the mutexes.
        let versions = FoundVersions(cause, watches.all, confirmed: confirmed, isLast: isLast)
        let reading = reading.withLock { state in
            var reading = SourceReading(
                cause: cause, last: published.value, problem: state.problem,
                isFirst: state.lastRead == nil, othersChanged: othersChanged,
                versions: versions)
            do throws(PrefsError) {
                if try read(&state.place, &reading) { settle(nil, &state, &reading) }
            } catch {
                settle(error, &state, &reading)
                // When a hidden file appears again, its old contents must not become active.
                if !state.isReported { state.place.forgetContents(&reading) }
            }
            if state.isReported { for report in reading.reports { add(report, isAtStart: cause == .start) } }
            if let paths = reading.paths { state.paths = paths }
            if reading.isPublished { published.publish(reading.next, didChange: reading.didChange) }
            return reading
        }
        if let delay = reading.delay {
            scheduler.run(after: delay) { [weak self] in self?.readSoon() }
        }
        return (notification(of: reading), reading.paths != nil, reading.versions.unknown)
    }

    /// Records the outcome of a reading that found something new.
    private func settle(_ problem: PrefsError?, _ state: inout State, _ reading: inout SourceReading) {
        let isKept = state.place.keepsVersion && reading.cause != .start
        if problem == nil || reading.next != nil { state.lastRead = .now }
        if var report = PrefsDiagnostic(from: state.problem, to: problem) {
            // Not part of the problem itself, because a restarted program would not keep the previous version.
            if isKept, report.severity == .error {
                let isNew = reading.last.isAbsent
                report.error.reason += isNew ? "; not using this file" : "; keeping the previous version"
            }
            reading.reports.insert(report, at: 0)
        }
        state.problem = problem
        if let delay = state.retries.delay(after: problem, scheduler) { reading.delay = delay }
    }

    /// Completes a reading. Returns a closure that delivers the notifications; `nil` if there is nothing to
    /// notify of.
    private func notification(of reading: SourceReading) -> PrefsNotification? {
        let others = reading.completion?()
        let isNews = reading.isPublished || others != nil
        guard isNews || !reading.reports.isEmpty else { return nil }
        return { [self] in
            reports.drain()
            for notifyObservers in others ?? [] { notifyObservers() }
            if isNews { changes.announce() }
        }
    }

    /// Adds a report, which is made once no mutex is held.
    func add(_ report: PrefsDiagnostic, isAtStart: Bool = false) {
        reports.add { [diagnostics] in
            if isAtStart { return StartReports.report(report, to: diagnostics) }
            diagnostics.report(report.severity, report.error)
        }
    }
}

/// The retries after a reading that failed because of the system, for example because of too many open files.
/// No event tells when such a failure is over.
///
/// There are no retries for a file that was read and is invalid, because the watcher reports the next edit.
private struct Retries {
    private var backoff = Backoff()
    /// The time of the last retry that was scheduled.
    private var last = Duration.zero

    /// Returns the time to wait before the next retry; `nil` if there is no reason for a retry, or if one is
    /// already scheduled.
    mutating func delay(after error: PrefsError?, _ scheduler: any Scheduler) -> Duration? {
        guard let error, error.code == .unreadable || error.code == .busy else {
            backoff = Backoff()
            return nil
        }
        let now = scheduler.now
        if now < last { return nil }
        let delay = backoff.next()
        last = now + delay
        return delay
    }
}

extension PrefsDiagnostic {
    /// Creates the report of a place's new problem, or of its recovery; `nil` if there is neither.
    init?(from old: PrefsError?, to new: PrefsError?) {
        if old == new { return nil }
        if let new {
            self.init(.error, new)
        } else if let old {
            self.init(recoveryFrom: old, "readable again")
        } else {
            return nil
        }
    }

    /// Creates the report of the recovery from a problem of a place.
    init(recoveryFrom problem: PrefsError, _ reason: String) {
        var origin = problem.origin
        origin?.position = nil
        self.init(.recovered, PrefsError(problem.code, origin: origin, reason: reason))
    }
}
