#if Etcd
    public import LayeredPrefs
    import PrefsSystem

    extension EtcdPrefsStorage {
        /// Reports what this process has of the fleet's contents, until the returned object is cancelled or
        /// released, so that `prefs fleet status` lists the processes that lag or reject a value, and `prefs fleet promote`
        /// gives no value to all hosts that a host of its canary rejects.
        ///
        /// ```swift
        /// let report = fleet.reportInstance(
        ///     of: storage, keys: Settings.keys, under: "/prefs-instances/com.example.myd/")
        /// ```
        ///
        /// A report is one key, `…/HOST/PID-NUMBER`, with a lease: the host, the pid, the program, the revision of
        /// the contents, the stack's generation, the keys of which a value is rejected, a canary's included, or waits for a
        /// closure of ``Live/apply(_:_:)``, and a hash of the effective values. It contains no value. Secrets, and the keys that the cache leaves out, are not part of the
        /// hash, nor are keys that are not declared.
        ///
        /// It is sent by the thread that follows the server, while that is connected, so the program never waits
        /// for it. Changes are reported together. If the server refuses the report, that is one diagnostic. A storage
        /// has one report; a second call replaces the first.
        ///
        /// - Parameters:
        ///   - stack: The stack that contains this storage. It is not retained.
        ///   - keys: The keys that the program declares.
        ///   - prefix: The beginning of the reports' keys, a prefix of their own, which this process's user may
        ///     write. A final slash is added if it has none.
        ///   - lifetime: The time after which the server removes the report of a process that is gone. A third of
        ///     it passes between the requests that renew it.
        ///   - delay: The longest time for which a change waits to be reported, at random, so that the processes
        ///     of a fleet do not report the same change at the same moment.
        public func reportInstance(
            of stack: LayeredPrefsStorage, keys: [PrefsKeyDescription] = [], under prefix: String,
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
            // A host's name may contain anything. It must not form another path.
            let host = client.settings.host.map { $0 == "/" ? "-" : String($0) }.joined()
            let (program, cache) = (CommandLine.arguments.first ?? "", client.settings.cache)
            let reporter = InstanceReporter(
                key: mapping.prefix + Array("\(host)/\(pid)-\(number)".utf8), lifetime: lifetime, delay: delay
            ) { [weak stack, weak self] report, contents in
                guard let stack, let self else { return .released }
                // Otherwise the report would claim that the process has accepted what it has not looked at.
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
        /// Makes the client's thread send a report, in place of the one before.
        func beginReport(of reporter: InstanceReporter) {
            let old = state.withLock { state in
                defer { (state.reporter, state.needsReport) = (reporter, true) }
                return state.reporter
            }
            waker.wake()
            // Released without the mutex, because that may release objects of the program.
            withExtendedLifetime(old) {}
        }

        /// Makes the client's thread remove a report, unless another one has replaced it.
        func endReport(of reporter: InstanceReporter) {
            state.withLock { if $0.reporter === reporter { $0.reporter = nil } }
            waker.wake()
        }

        /// Notes that the report may differ.
        fileprivate func noteReportableChange() {
            let isNews = state.withLock { state in
                defer { state.needsReport = true }
                return !state.needsReport
            }
            if isNews { waker.wake() }
        }
    }
#endif
