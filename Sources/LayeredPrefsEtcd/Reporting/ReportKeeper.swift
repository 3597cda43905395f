#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// Keeps this process's report on the server. Confined to the client's thread.
    ///
    /// It only uses the connection while that works. A failure costs a diagnostic, once, and a later attempt.
    final class ReportKeeper {
        private let settings: EtcdSettings
        private let slot: ReporterSlot
        private let diagnostics: PrefsDiagnostics
        private var active: (reporter: InstanceReporter, schedule: ReportSchedule)?
        private var isFailing = false

        /// Sends a request; rethrows the failures of the watch, which is received meanwhile.
        typealias Call = (_ path: String, _ body: String) throws(EtcdFailure) -> Result<[UInt8], EtcdFailure>

        init(settings: EtcdSettings, slot: ReporterSlot, diagnostics: PrefsDiagnostics) {
            (self.settings, self.slot, self.diagnostics) = (settings, slot, diagnostics)
        }

        /// The time at which ``run(_:_:)`` has something to do; `nil` if there is no report.
        func deadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            if wanted !== active?.reporter { return now }
            if active?.reporter.needsReport == true { noteChange(now) }
            return active?.schedule.deadline
        }

        /// Notes that the contents may differ.
        func noteChange(_ now: ContinuousClock.Instant = .now) {
            active?.schedule.noteChange(now: now, jitter: .random(in: 0...1))
        }

        func noteConnection() {
            active?.schedule.noteConnection(now: .now, jitter: .random(in: 0...1))
        }

        private var wanted: InstanceReporter? {
            slot.current.flatMap { $0.isCancelled ? nil : $0 }
        }

        /// Does what is due.
        ///
        /// - Parameter mirror: The followed contents.
        func run(_ mirror: () -> EtcdMirror, _ call: Call) throws(EtcdFailure) {
            if wanted !== active?.reporter { try replace(call) }
            while let step = active?.schedule.step(now: .now), !settings.isStopped {
                guard try perform(step, mirror, call) else { return }
            }
        }

        /// Begins to send the report that is wanted now, and removes the one before.
        private func replace(_ call: Call) throws(EtcdFailure) {
            let lease = active?.schedule.lease
            active = wanted.map { reporter in
                let schedule = ReportSchedule(
                    lifetime: reporter.lifetime, delay: reporter.delay, now: .now, jitter: .random(in: 0...1))
                return (reporter, schedule)
            }
            // If this fails, the lease expires.
            if let lease { _ = try call("/v3/lease/revoke", EtcdRequests.lease(lease)) }
        }

        /// Returns false if the next step has to wait.
        private func perform(
            _ step: ReportSchedule.Step, _ mirror: () -> EtcdMirror, _ call: Call
        ) throws(EtcdFailure) -> Bool {
            switch step {
            case .grant:
                let seconds = max(1, (active?.reporter.lifetime.milliseconds ?? 0) / 1000)
                let answer = try call("/v3/lease/grant", EtcdRequests.grantLease(seconds: seconds))
                return note(answer) { schedule, body throws(EtcdFailure) in
                    let lease = try EtcdLease(answer: body)
                    schedule.noteGranted(lease.id, now: .now, jitter: .random(in: 0...1))
                }
            case .renew(let id):
                return note(try call("/v3/lease/keepalive", EtcdRequests.lease(id))) {
                    schedule, body throws(EtcdFailure) in
                    // The answer is a stream of one message.
                    let lease = try EtcdLease(streamed: body)
                    schedule.noteRenewed(seconds: lease.seconds, now: .now, jitter: .random(in: 0...1))
                }
            case .send(let lease):
                return try send(lease, mirror(), call)
            }
        }

        private func note(
            _ answer: Result<[UInt8], EtcdFailure>,
            _ note: (inout ReportSchedule, [UInt8]) throws(EtcdFailure) -> Void
        ) -> Bool {
            do throws(EtcdFailure) {
                let body = try answer.get()
                if var active {
                    try note(&active.schedule, body)
                    self.active = active
                }
                return true
            } catch {
                return fail(error)
            }
        }

        private func send(_ lease: Int64, _ mirror: EtcdMirror, _ call: Call) throws(EtcdFailure) -> Bool {
            guard let reporter = active?.reporter else { return false }
            reporter.takeChange()
            guard let report = reporter.complete(report(on: mirror)) else {
                reporter.cancel()
                try replace(call)
                return false
            }
            guard active?.schedule.shouldSend(report) == true else { return true }
            let request = EtcdRequests.put(reporter.key, Array(report.text.utf8), lease: lease)
            switch try call("/v3/kv/put", request) {
            case .success:
                active?.schedule.noteSent(report)
                succeed()
                return true
            case .failure(let failure): return fail(failure)
            }
        }

        private func report(on mirror: EtcdMirror) -> InstanceReport {
            var report = InstanceReport()
            report.host = settings.host
            report.revision = mirror.header.revision
            for range in settings.ranges {
                report.counts[KeyMapping.text(of: range.first)] = mirror.items.keys.count(
                    where: range.contains)
            }
            return report
        }

        private func fail(_ failure: EtcdFailure) -> Bool {
            // A lease that is not found has no kind of its own.
            active?.schedule.noteFailure(
                isLeaseUnknown: failure.kind == .invalidRequest, now: .now, jitter: .random(in: 0...1))
            // An outage is reported by the thread's own connection, and ends by itself.
            if failure.kind == .unavailable { return false }
            if !isFailing {
                diagnose(.warning, "\(failure.message); the reports on this process are missing")
            }
            isFailing = true
            return false
        }

        private func succeed() {
            if isFailing { diagnose(.recovered, "this process reports again") }
            isFailing = false
        }

        private func diagnose(_ severity: PrefsDiagnostic.Severity, _ reason: String) {
            let key = KeyMapping.text(of: active?.reporter.key ?? [])
            diagnostics.report(
                severity, PrefsError(.unwritable, origin: PrefsOrigin(file: "etcd \(key)"), reason: reason))
        }
    }
#endif
