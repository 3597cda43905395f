extension WatchCore {
    /// Starts using an inotify instance, for the paths that are already watched, too.
    mutating func open(_ backend: any InotifyBackend) {
        self.backend = backend
        backendProblem = nil
        addAllWatchesAgain()
    }

    /// Records that no instance could be opened: every path is polled, and opening is retried later.
    mutating func fail(_ problem: Problem, now: Instant) {
        backendProblem = problem
        retry.begin(at: now)
    }

    /// Closes the instance.
    mutating func close() {
        backend?.close()
        backend = nil
        backendProblem = nil
        table.forgetAll()
        newEntries.removeAll()
    }

    /// True if no instance is open and opening one should be tried.
    var needsBackend: Bool {
        mode == .inotify && backend == nil && backendProblem == nil
    }

    private mutating func addAllWatchesAgain() {
        table.forgetAll()
        for path in paths.values {
            path.steps = []
            path.end?.watch = nil
        }
        invalidateAll(.recheck, source: .poll)
    }

    /// Opens inotify or adds failed watches again, if a retry is due.
    mutating func retryIfDue(now: Instant) {
        guard retry.due != nil else { return }
        guard backend == nil || !unwatchable.isEmpty else { return retry.end() }
        guard retry.take(at: now) else { return }
        guard backend != nil else {
            // The hub opens a backend that is needed, and then all watches are added again.
            backendProblem = nil
            return
        }
        for number in unwatchable {
            invalidateWhenReachable(number, Invalidation(step: 0, cause: .recheck, source: .poll))
        }
    }
}
