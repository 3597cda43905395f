#if Etcd
    import LayeredPrefs
    import PrefsSystem
    import Synchronization

    /// The report that a process has asked for, shared with the client's thread, which sends it.
    final class InstanceReporter: Sendable {
        /// The key of the report.
        let key: [UInt8]
        /// The time after which the server removes the report of a process that is gone.
        let lifetime: Duration
        /// The longest time for which a change waits, so that it is reported together with the ones that follow,
        /// and not by all processes at once.
        let delay: Duration
        /// Completes a report on the followed contents; returns `nil` if the stack was released.
        let complete: @Sendable (InstanceReport) -> InstanceReport?
        private let hasChanged = Atomic(true)
        private let cancelled = Atomic(false)

        init(
            key: [UInt8], lifetime: Duration, delay: Duration,
            complete: @escaping @Sendable (InstanceReport) -> InstanceReport?
        ) {
            (self.key, self.lifetime, self.delay) = (key, lifetime.clamped, delay.clamped)
            self.complete = complete
        }

        /// Notes that the report may differ; returns true if that was not noted yet.
        func noteChange() -> Bool { !hasChanged.exchange(true, ordering: .acquiringAndReleasing) }

        var needsReport: Bool { hasChanged.load(ordering: .acquiring) }

        /// Called before the report is made, so that a change made meanwhile is noted again.
        ///
        /// An exchange rather than a store: it makes the contents visible that were published before the change
        /// was noted.
        func takeChange() { _ = hasChanged.exchange(false, ordering: .acquiringAndReleasing) }

        var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

        func cancel() { cancelled.store(true, ordering: .releasing) }
    }

    /// The place where the client's thread finds the report that it has to send.
    final class ReporterSlot: Sendable {
        private let reporter = Lock<InstanceReporter?>(nil)

        var current: InstanceReporter? { reporter.withLock { $0 } }

        /// Puts a reporter in place of another one, which is cancelled.
        func set(_ new: InstanceReporter) {
            let old = reporter.withLock { reporter in
                defer { reporter = new }
                return reporter
            }
            old?.cancel()
        }
    }
#endif
