import PrefsSystem

/// The files that were edited but not yet read, and the coalescer that decides when they are read.
///
/// All edits are read before any observer is notified, so that files edited together take effect together: an
/// observer of one file finds the others already read. The files of a stack share one queue; see
/// ``PrefsChangeSource/reloads``.
final class ReloadQueue: Sendable {
    private struct Edit {
        weak let file: (any Reloadable)?
        let cause: PrefsChangeCause
    }

    private struct State {
        var coalescer: Coalescer
        var edits: [ObjectIdentifier: Edit] = [:]
        /// The number of threads that are reading, or that are notifying observers of their readings.
        var readers = 0
        /// The closures to call when `readers` reaches 0.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Lock<State>
    private let durations: CallbackList<Duration>
    private let scheduler: any Scheduler

    init(
        _ coalescing: PrefsCoalescing,
        measuring durations: CallbackList<Duration> = CallbackList(),
        scheduler: any Scheduler = EventLoop.shared
    ) {
        state = Lock(State(coalescer: Coalescer(coalescing)))
        self.durations = durations
        self.scheduler = scheduler
    }

    /// Reads the remaining edits, because a file may belong to another stack, too.
    deinit { _ = read() }

    /// Records an edit. ``run()`` then reads the file.
    func note(_ file: any Reloadable, _ cause: PrefsChangeCause) {
        state.withLock { state in
            // An explicitly requested check remains the cause.
            if state.edits[ObjectIdentifier(file)]?.cause == .reload { return }
            state.edits[ObjectIdentifier(file)] = Edit(file: file, cause: cause)
        }
    }

    /// Reads the recorded edits: now and on this thread, or soon and on a thread of the scheduler.
    func run() {
        let now = scheduler.now
        let effect: Coalescer.Effect = state.withLock { state in
            state.edits.isEmpty ? .nothing : state.coalescer.call(at: now)
        }
        perform(effect) { state.withLock { $0.coalescer.takeBack(callAt: now) } }
    }

    private func wake() {
        let now = scheduler.now
        perform(state.withLock { $0.coalescer.wake(at: now) }) {}
    }

    private func perform(_ effect: Coalescer.Effect, whenUnchanged: () -> Void) {
        switch effect {
        case .nothing: break
        case .run: if !read() { whenUnchanged() }
        case .wakeAfter(let delay): scheduler.run(after: delay) { [weak self] in self?.wake() }
        }
    }

    /// Reads the edited files and notifies observers; returns false if nothing had changed.
    private func read() -> Bool {
        let start = durations.begin()
        defer { durations.end(start) }
        let edits = state.withLock { state in
            state.readers += 1
            defer { state.edits = [:] }
            return state.edits
        }
        let notifications = edits.values.compactMap { $0.file?.refresh($0.cause) }
        for notifyObservers in notifications { notifyObservers() }
        endReading()
        return !notifications.isEmpty
    }

    private func endReading() {
        let waiting = state.withLock { state in
            state.readers -= 1
            guard state.readers == 0 else { return [] as [@Sendable () -> Void] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// Calls `body` once no read with undelivered notifications is in progress.
    func whenNotified(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.readers > 0 { state.waiting.append(body) }
            return state.readers == 0
        }
        if isIdle { body() }
    }
}

/// An object that reads an edited file or folder.
protocol Reloadable: AnyObject, Sendable {
    /// Reads the edited contents without notifying observers.
    ///
    /// - Returns: A closure that delivers the notifications; `nil` if there are none.
    func refresh(_ cause: PrefsChangeCause) -> (@Sendable () -> Void)?
}
