#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct ReportScheduleTests {
        private let start = ContinuousClock.now

        /// Returns a schedule that has obtained lease 7 and sent a report at the start.
        private func running() -> ReportSchedule {
            var schedule = ReportSchedule(
                lifetime: .seconds(180), delay: .seconds(5), now: start, jitter: 0)
            schedule.noteGranted(7, now: start, jitter: 0.5)
            _ = schedule.shouldSend(InstanceReport())
            schedule.noteSent(InstanceReport())
            return schedule
        }

        private func time(_ seconds: Double) -> ContinuousClock.Instant {
            start.advanced(by: .seconds(seconds))
        }

        @Test func `a lease is obtained within the delay, then the report is sent`() {
            var schedule = ReportSchedule(
                lifetime: .seconds(180), delay: .seconds(5), now: start, jitter: 0.5)
            #expect(schedule.step(now: time(2)) == nil)
            #expect(schedule.deadline == time(2.5))
            #expect(schedule.step(now: time(2.5)) == .grant)
            schedule.noteGranted(7, now: time(2.5), jitter: 0)
            #expect(schedule.step(now: time(2.5)) == .send(lease: 7))
            let isSent = schedule.shouldSend(InstanceReport())
            #expect(isSent)
            schedule.noteSent(InstanceReport())
            #expect(schedule.step(now: time(3)) == nil)
        }

        @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
        func `durations without end do not overflow`(_ forever: Duration) {
            let reporter = InstanceReporter(key: [], lifetime: forever, delay: forever) { report, _ in
                .report(report)
            }
            var schedule = ReportSchedule(
                lifetime: reporter.lifetime, delay: reporter.delay, now: start, jitter: 1)
            schedule.noteGranted(7, now: start, jitter: 1)
            schedule.noteRenewed(seconds: .max, now: start, jitter: 1)
            schedule.noteFailure(isLeaseUnknown: false, now: start, jitter: 1)
            #expect(schedule.deadline > time(86_400 * 365))
            let timing = EtcdPrefsStorage.Timing(
                start: forever, request: forever, write: forever, check: forever, longestPause: forever)
            let settings = EtcdSettings(
                endpoints: [], prefix: "/p/", credentials: nil, tls: .init(), timing: timing)
            let used = settings.timing
            for duration in [used.start, used.request, used.write, used.check * 1.2, used.longestPause] {
                #expect(start + duration > time(86_400 * 365))
            }
        }

        @Test func `changes within the delay are one report`() {
            var schedule = running()
            schedule.noteChange(now: time(10), jitter: 1)
            for second in 11...14 { schedule.noteChange(now: time(Double(second)), jitter: 0) }
            #expect(schedule.step(now: time(14.9)) == nil)
            #expect(schedule.step(now: time(15)) == .send(lease: 7))
            var report = InstanceReport()
            report.revision = 4
            let isSent = schedule.shouldSend(report)
            #expect(isSent)
            schedule.noteSent(report)
            #expect(schedule.step(now: time(15)) == nil)
        }

        @Test func `an equal report is not sent again, and a generation of its own only at a renewal`() {
            var schedule = running()
            var report = InstanceReport()
            report.generation = 9
            schedule.noteChange(now: time(10), jitter: 0)
            let isSent = schedule.shouldSend(report)
            #expect(!isSent)
            #expect(schedule.step(now: time(60)) == .renew(7))
            schedule.noteRenewed(seconds: 180, now: time(60), jitter: 0.5)
            #expect(schedule.step(now: time(60)) == .send(lease: 7))
            let isSentAgain = schedule.shouldSend(report)
            #expect(isSentAgain)
            schedule.noteSent(report)
            schedule.noteRenewed(seconds: 180, now: time(120), jitter: 0.5)
            let isSentLast = schedule.shouldSend(report)
            #expect(!isSentLast)
        }

        @Test func `a lease is renewed about three times in its life, at another time by each process`() {
            var (early, late) = (running(), running())
            early.noteRenewed(seconds: 180, now: start, jitter: 0)
            late.noteRenewed(seconds: 180, now: start, jitter: 1)
            _ = (early.shouldSend(InstanceReport()), late.shouldSend(InstanceReport()))
            #expect((time(47.9)...time(48.1)).contains(early.deadline))
            #expect((time(71.9)...time(72.1)).contains(late.deadline))
        }

        @Test func `a lost lease is replaced, and everything is sent with the new one`() {
            var schedule = running()
            schedule.noteRenewed(seconds: 0, now: time(60), jitter: 0.5)
            #expect(schedule.step(now: time(60)) == .grant)
            schedule.noteGranted(8, now: time(60), jitter: 0.5)
            #expect(schedule.step(now: time(60)) == .send(lease: 8))
            let isSent = schedule.shouldSend(InstanceReport())
            #expect(isSent)
        }

        @Test(arguments: [false, true])
        func `after a failure comes a pause, and the report is sent again`(_ isLeaseUnknown: Bool) {
            var schedule = running()
            schedule.noteFailure(isLeaseUnknown: isLeaseUnknown, now: time(10), jitter: 1)
            schedule.noteChange(now: time(11), jitter: 0)
            #expect(schedule.step(now: time(39)) == nil)
            #expect(schedule.step(now: time(40)) == (isLeaseUnknown ? .grant : .send(lease: 7)))
            if isLeaseUnknown { schedule.noteGranted(8, now: time(40), jitter: 0) }
            let isSent = schedule.shouldSend(InstanceReport())
            #expect(isSent)
        }

        @Test func `a new connection renews the lease and sends the report again, after a random time`() {
            var schedule = running()
            schedule.noteConnection(now: time(10), jitter: 0.5)
            #expect(schedule.step(now: time(12)) == nil)
            #expect(schedule.step(now: time(12.5)) == .renew(7))
            schedule.noteRenewed(seconds: 100, now: time(12.5), jitter: 0.5)
            #expect(schedule.step(now: time(12.5)) == .send(lease: 7))
            let isSent = schedule.shouldSend(InstanceReport())
            #expect(isSent)
        }
    }
#endif
