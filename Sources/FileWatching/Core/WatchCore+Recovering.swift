extension WatchCore {
    /// Takes an inotify instance into use, for the paths that are there already too.
    mutating func open(_ source: any NoticeSource) {
        self.source = source
        sourceProblem = nil
        rearmAll(.doubt, source: .poll)
    }

    /// There is none: everything is polled, and it is tried again.
    mutating func fail(_ problem: Problem, now: Instant) {
        sourceProblem = problem
        retry.begin(at: now)
    }

    /// Gives the instance back.
    mutating func close() {
        source?.close()
        source = nil
        sourceProblem = nil
        table.forgetAll()
    }

    /// Whether a closed instance is worth opening.
    var wantsSource: Bool {
        sense == .inotify && source == nil && sourceProblem == nil
    }

    /// Puts all watches anew.
    mutating func rearmAll(_ cause: Suspicion.Cause, source: FileEvent.Source) {
        table.forgetAll()
        for path in paths.values {
            path.steps = []
            path.end?.watch = nil
        }
        suspectAll(cause, source: source)
    }

    /// Tries what was refused, now and then.
    mutating func tryAgainIfDue(now: Instant) {
        guard retry.due != nil else { return }
        guard source == nil || !troubled.isEmpty else { return retry.end() }
        guard retry.take(at: now) else { return }
        guard source != nil else {
            // The hub opens a source that is wanted, and then everything is armed anew.
            sourceProblem = nil
            return
        }
        for number in troubled {
            suspect(number, Suspicion(step: 0, cause: .doubt, source: .poll))
        }
    }
}
