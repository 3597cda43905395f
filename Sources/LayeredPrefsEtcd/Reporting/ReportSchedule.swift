#if Etcd
    /// Decides when to send a report and when to renew its lease. All times are passed in.
    struct ReportSchedule {
        /// A request that is due.
        enum Step: Equatable {
            /// Obtain a lease.
            case grant
            /// Renew the lease.
            case renew(Int64)
            /// Make the report, and send it if it differs from the previous one.
            case send(lease: Int64)
        }

        private let lifetime: Duration
        private let delay: Duration
        private(set) var lease: Int64?
        private var sent: InstanceReport?
        private var nextRenewal: ContinuousClock.Instant
        /// The time for making the next report; `nil` until something may have changed.
        private var nextReport: ContinuousClock.Instant?
        /// Nothing is sent before this time, because the last attempt failed or a connection has just begun.
        private var pauseEnd: ContinuousClock.Instant
        /// True after a renewal. Then a report is sent even if only the generation differs.
        private var isExact = false

        /// - Parameter jitter: A random number from 0 to 1, here and below. Because of it, processes that have the
        ///   same reason to report do not all report at once.
        init(lifetime: Duration, delay: Duration, now: ContinuousClock.Instant, jitter: Double) {
            (self.lifetime, self.delay) = (lifetime, delay)
            nextRenewal = now
            nextReport = now
            pauseEnd = now.advanced(by: delay * jitter)
        }

        /// Records that the report may have changed.
        mutating func noteChange(now: ContinuousClock.Instant, jitter: Double) {
            nextReport = nextReport ?? now.advanced(by: delay * (0.2 + 0.8 * jitter))
        }

        /// Records that there is nothing to report until the next change.
        mutating func noteUndecided() { nextReport = nil }

        /// Records that the client is connected again. The server may have lost the report meanwhile.
        mutating func noteConnection(now: ContinuousClock.Instant, jitter: Double) {
            (sent, nextRenewal) = (nil, now)
            pauseEnd = now.advanced(by: delay * jitter)
            noteChange(now: now, jitter: jitter)
        }

        /// The time for the next ``step(now:)``.
        var deadline: ContinuousClock.Instant {
            max(pauseEnd, min(nextRenewal, lease == nil ? nextRenewal : nextReport ?? nextRenewal))
        }

        /// Returns the request that is due; `nil` if none is.
        func step(now: ContinuousClock.Instant) -> Step? {
            guard now >= deadline else { return nil }
            guard let lease else { return .grant }
            return now >= nextRenewal ? .renew(lease) : .send(lease: lease)
        }

        mutating func noteGranted(_ lease: Int64, now: ContinuousClock.Instant, jitter: Double) {
            (self.lease, sent, nextReport) = (lease, nil, now)
            scheduleRenewal(now, jitter)
        }

        /// Records the answer to a renewal: the rest of the lease's time, or 0 if the lease has expired.
        mutating func noteRenewed(seconds: Int64, now: ContinuousClock.Instant, jitter: Double) {
            guard seconds > 0 else {
                (lease, nextRenewal) = (nil, now)
                return
            }
            isExact = true
            nextReport = now
            scheduleRenewal(now, jitter)
        }

        /// Returns true if a report must be sent because it differs from the last one.
        mutating func shouldSend(_ report: InstanceReport) -> Bool {
            nextReport = nil
            defer { isExact = false }
            guard let sent else { return true }
            return isExact ? report != sent : !report.isEquivalent(to: sent)
        }

        mutating func noteSent(_ report: InstanceReport) { sent = report }

        /// Records that a request failed.
        ///
        /// - Parameter isLeaseUnknown: True if the server may no longer know the lease.
        mutating func noteFailure(isLeaseUnknown: Bool, now: ContinuousClock.Instant, jitter: Double) {
            if isLeaseUnknown { (lease, nextRenewal) = (nil, now) }
            sent = nil
            nextReport = now
            pauseEnd = now.advanced(by: lifetime / 6 * (0.5 + jitter / 2))
        }

        /// Renews after a third of the lifetime, so that one renewal may fail.
        private mutating func scheduleRenewal(_ now: ContinuousClock.Instant, _ jitter: Double) {
            nextRenewal = now.advanced(by: lifetime / 3 * (0.8 + 0.4 * jitter))
        }
    }
#endif
