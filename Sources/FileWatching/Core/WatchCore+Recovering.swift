extension WatchCore {
    /// Starts using an inotify instance, also for the paths that are already watched.
    mutating func open(_ source: any NoticeSource) {
        self.source = source
        sourceProblem = nil
        rearmAll(.doubt, source: .poll)
    }

    /// Records that no instance could be opened: every path is polled, and opening is retried later.
    mutating func fail(_ problem: Problem, now: Instant) {
        sourceProblem = problem
        retry.begin(at: now)
    }

    /// Closes the instance.
    mutating func close() {
        source?.close()
        source = nil
        sourceProblem = nil
        table.forgetAll()
    }

    /// True if no instance is open and opening one should be tried.
    var wantsSource: Bool {
        sense == .inotify && source == nil && sourceProblem == nil
    }

    /// Adds all watches again.
    mutating func rearmAll(_ cause: Suspicion.Cause, source: FileEvent.Source) {
        table.forgetAll()
        for path in paths.values {
            path.steps = []
            path.end?.watch = nil
        }
        suspectAll(cause, source: source)
    }

    /// Retries what failed, if a retry is due.
    mutating func tryAgainIfDue(now: Instant) {
        guard retry.due != nil else { return }
        guard source == nil || !troubled.isEmpty else { return retry.end() }
        guard retry.take(at: now) else { return }
        guard source != nil else {
            // The hub opens a source that is wanted, and then all watches are added again.
            sourceProblem = nil
            return
        }
        for number in troubled {
            suspect(number, Suspicion(step: 0, cause: .doubt, source: .poll))
        }
    }
}
