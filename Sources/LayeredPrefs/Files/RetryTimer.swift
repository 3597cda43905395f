import PrefsDocuments
import PrefsSystem

/// Repeats a read that failed for a reason that may pass without any event, such as too many open files, until
/// one succeeds.
///
/// Only the system's own errors are retried. A file that was read but is rejected stays as it is until an edit,
/// which the watcher reports.
final class RetryTimer: Sendable {
    private struct State {
        var backoff = Backoff()
        var isFailing = false
        var isScheduled = false
    }

    private let state = Lock(State())
    private let scheduler: any Scheduler

    init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

    /// Notes the outcome of a read: `nil` if it succeeded.
    ///
    /// Called with the owner's mutex held, so that outcomes are noted in the order of the reads. `retry` is
    /// called later, on a thread of the scheduler; it reads again and notes the outcome.
    func note(_ error: PrefsError?, retry: @escaping @Sendable () -> Void) {
        let isFailing = error?.mayPass ?? false
        let delay = state.withLock { state -> Duration? in
            state.isFailing = isFailing
            if !isFailing { state.backoff = Backoff() }
            guard isFailing, !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.backoff.next()
        }
        guard let delay else { return }
        scheduler.run(after: delay) { [weak self] in self?.wake(retry) }
    }

    private func wake(_ retry: () -> Void) {
        let isFailing = state.withLock { state in
            state.isScheduled = false
            return state.isFailing
        }
        if isFailing { retry() }
    }
}

extension PrefsError {
    /// True if the system could not read the file now but may be able to later.
    fileprivate var mayPass: Bool { code == .unreadable || code == .busy }
}
