#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// The report that a process has asked for. The client's thread sends it.
    final class InstanceReporter: Sendable {
        /// The key of the report.
        let key: [UInt8]
        /// The time after which the server removes the report of a process that is gone.
        let lifetime: Duration
        /// The longest time that a change waits. It is then reported together with later changes, and not by all
        /// processes at once.
        let delay: Duration
        /// Completes a report about the followed contents.
        let complete: @Sendable (InstanceReport, _ contents: PrefsSnapshot) -> Completion

        /// The stack's part of a report.
        enum Completion {
            case report(InstanceReport)
            /// The stack has not decided on the contents. It tells the client as soon as it has.
            case undecided
            /// The stack was released.
            case released
        }

        init(
            key: [UInt8], lifetime: Duration, delay: Duration,
            complete: @escaping @Sendable (InstanceReport, _ contents: PrefsSnapshot) -> Completion
        ) {
            (self.key, self.lifetime, self.delay) = (key, lifetime.clamped, delay.clamped)
            self.complete = complete
        }
    }

    /// Keeps this process's report on the server. Confined to the client's thread.
    ///
    /// It uses the connection only while the connection works. A failure is reported once, and sending is tried
    /// again later.
    final class ReportKeeper {
        private let client: EtcdClient
        private var active: InstanceReporter?
        private var schedule: ReportSchedule?
        private var isFailing = false

        /// Sends a request and returns the answer.
        typealias Call = (_ path: String, _ body: String) throws(EtcdFailure) -> [UInt8]

        init(_ client: EtcdClient) { self.client = client }

        /// Returns the time for the next ``run(_:)``; `nil` if there is no report.
        func deadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            let (wanted, needsReport) = client.state.withLock { ($0.reporter, $0.needsReport) }
            if wanted !== active { return now }
            if needsReport { noteChange(now) }
            return schedule?.deadline
        }

        /// Records that the contents may have changed.
        func noteChange(_ now: ContinuousClock.Instant = .now) {
            schedule?.noteChange(now: now, jitter: .random(in: 0...1))
        }

        func noteConnection() { schedule?.noteConnection(now: .now, jitter: .random(in: 0...1)) }

        /// Sends all requests that are due.
        func run(_ call: Call) throws(EtcdFailure) {
            if client.state.withLock({ $0.reporter }) !== active { replace(call) }
            while !client.isStopped, let active, let step = schedule?.step(now: .now) {
                try perform(step, for: active, call)
            }
        }

        /// Begins to send the current report and removes the previous one.
        private func replace(_ call: Call) {
            let lease = schedule?.lease
            active = client.state.withLock { $0.reporter }
            schedule = active.map { reporter in
                ReportSchedule(
                    lifetime: reporter.lifetime, delay: reporter.delay, now: .now, jitter: .random(in: 0...1))
            }
            // If this fails, the lease expires anyway.
            if let lease { _ = try? call("/v3/lease/revoke", EtcdRequests.lease(lease)) }
        }

        private func perform(
            _ step: ReportSchedule.Step, for reporter: InstanceReporter, _ call: Call
        ) throws(EtcdFailure) {
            switch step {
            case .grant:
                let seconds = max(1, reporter.lifetime.milliseconds / 1000)
                let answer = try call("/v3/lease/grant", EtcdRequests.grantLease(seconds: seconds))
                let lease = try EtcdLease(answer: answer)
                schedule?.noteGranted(lease.id, now: .now, jitter: .random(in: 0...1))
            case .renew(let id):
                // The answer is a stream with one message.
                let lease = try EtcdLease(streamed: try call("/v3/lease/keepalive", EtcdRequests.lease(id)))
                schedule?.noteRenewed(seconds: lease.seconds, now: .now, jitter: .random(in: 0...1))
            case .send(let lease):
                try send(reporter, lease, call)
            }
        }

        private func send(_ reporter: InstanceReporter, _ lease: Int64, _ call: Call) throws(EtcdFailure) {
            // Reset the flag before making the report, so that a change made meanwhile sets it again.
            let (mirror, contents) = client.state.withLock { state in
                state.needsReport = false
                return (state.mirror, state.snapshot)
            }
            let report: InstanceReport
            switch reporter.complete(InstanceReport(on: mirror, client.settings), contents) {
            case .report(let complete): report = complete
            case .undecided:
                schedule?.noteUndecided()
                return
            case .released:
                client.endReport(of: reporter)
                return replace(call)
            }
            guard schedule?.shouldSend(report) == true else { return }
            _ = try call("/v3/kv/put", EtcdRequests.put(reporter.key, report.json, lease: lease))
            schedule?.noteSent(report)
            if isFailing { diagnose(.recovered, "this process reports again") }
            isFailing = false
        }

        /// Records that a request failed.
        func noteFailure(_ failure: EtcdFailure) {
            // An unknown lease has no kind of failure of its own.
            schedule?.noteFailure(
                isLeaseUnknown: failure.kind == .invalidRequest, now: .now, jitter: .random(in: 0...1))
            // The client itself reports an outage, and sends its report again after the outage.
            if failure.kind == .unavailable || isFailing { return }
            isFailing = true
            diagnose(.warning, "\(failure.message); the reports on this process are missing")
        }

        private func diagnose(_ severity: PrefsDiagnostic.Severity, _ reason: String) {
            let origin = KeyMapping.origin(of: active?.key ?? [])
            client.diagnostics.report(severity, PrefsError(.unwritable, origin: origin, reason: reason))
        }
    }
#endif
