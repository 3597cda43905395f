#if Etcd
    public import LayeredPrefs
    import PrefsSystem

    extension EtcdPrefsStorage {
        /// Reports to the server how far this process has taken over the fleet's contents.
        ///
        /// `prefs fleet status` then lists processes that lag or reject a value, and `prefs fleet promote` does not
        /// promote a canary that one of its hosts rejects. Reporting ends when you cancel or release the returned
        /// object.
        ///
        /// ```swift
        /// let report = fleet.reportInstance(
        ///     of: storage, keys: Settings.keys, under: "/prefs-instances/com.example.myd/")
        /// ```
        ///
        /// A report is one key, `…/HOST/PID-NUMBER`, with a lease. It contains the host, the pid, the program, the
        /// revision of the contents, the stack's generation and a hash of the effective values. It lists the keys
        /// with a rejected value, including a canary's value, and the keys with a value that waits for a closure of
        /// ``Live/apply(_:_:)``.
        ///
        /// A report contains no values. The hash leaves out secrets, keys that the cache leaves out, and keys that
        /// are not declared.
        ///
        /// The thread that follows the server sends the report while it is connected, so the program never waits for
        /// it. Changes are reported together. If the server denies the report, there is one diagnostic. A storage has
        /// one report; a second call replaces the first.
        ///
        /// - Parameters:
        ///   - stack: The stack that contains this storage. It is not retained.
        ///   - keys: The keys that the program declares.
        ///   - prefix: The beginning of the reports' keys, a prefix of their own, which this process's user may
        ///     write. A missing final slash is added.
        ///   - lifetime: The time after which the server removes the report of a process that has ended. The report
        ///     is renewed each time a third of it has passed.
        ///   - delay: The longest time that a change waits to be reported. The wait is random, so that the processes
        ///     of a fleet do not report the same change at the same moment.
        public func reportInstance(
            of stack: PrefsStack, keys: [PrefsKeyDescription] = [], under prefix: String,
            lifetime: Duration = .seconds(180), delay: Duration = .seconds(5)
        ) -> PrefsObservation {
            let mapping = KeyMapping(prefix: prefix)
            if let problem = client.settings.problem(ofReportsUnder: mapping.prefix) {
                let origin = KeyMapping.origin(of: mapping.prefix)
                diagnostics.report(.error, PrefsError(.invalid, origin: origin, reason: problem))
                return PrefsObservation {}
            }
            let pid = getpid()
            let number = String(UInt32.random(in: 0 ... .max), radix: 16)
            // A host's name may contain anything. A slash in it must not form another path.
            let host = client.settings.host.map { $0 == "/" ? "-" : String($0) }.joined()
            let (program, cache) = (CommandLine.arguments.first ?? "", client.settings.cache)
            let reporter = InstanceReporter(
                key: mapping.prefix + Array("\(host)/\(pid)-\(number)".utf8), lifetime: lifetime, delay: delay
            ) { [weak stack, weak self] report, contents in
                guard let stack, let self else { return .released }
                // If the stack has not decided on these contents, the report must not claim that the process has
                // accepted them.
                guard let inactive = stack.inactiveRevisions(afterDecidingOn: contents, of: self) else {
                    return .undecided
                }
                var report = report
                (report.pid, report.program) = (pid, program)
                report.add(stack.snapshot, inactive: inactive, keys: keys) {
                    cache.omittedParts(of: $0).isEmpty
                }
                return .report(report)
            }
            let client = client
            let changes = stack.changeSource?.observe { client.noteReportableChange() }
            let decisions = stack.observeDecisions { client.noteReportableChange() }
            client.beginReport(of: reporter)
            return PrefsObservation {
                changes?.cancel()
                decisions.cancel()
                client.endReport(of: reporter)
            }
        }
    }

    extension EtcdClient {
        /// Makes the client's thread send this report instead of the previous one.
        func beginReport(of reporter: InstanceReporter) {
            let old = state.withLock { state in
                defer { (state.reporter, state.needsReport) = (reporter, true) }
                return state.reporter
            }
            waker.wake()
            // Release it outside the mutex, because that may release objects of the program.
            withExtendedLifetime(old) {}
        }

        /// Makes the client's thread remove a report, unless another report has replaced it.
        func endReport(of reporter: InstanceReporter) {
            state.withLock { if $0.reporter === reporter { $0.reporter = nil } }
            waker.wake()
        }

        /// Records that the report may have changed.
        fileprivate func noteReportableChange() {
            let isNews = state.withLock { state in
                defer { state.needsReport = true }
                return !state.needsReport
            }
            if isNews { waker.wake() }
        }
    }
#endif
