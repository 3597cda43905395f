#if ServiceLifecycle
    public import LayeredPrefs
    public import LayeredPrefsInspection
    public import Logging
    import PrefsSystem
    public import ServiceLifecycle
    public import UnixSignals

    /// A service of swift-service-lifecycle that reloads a stack on a signal and keeps systemd informed.
    ///
    /// ```swift
    /// let storage = try PrefsStack.standard(domain: "com.example.myd")
    /// let group = ServiceGroup(
    ///     services: [PrefsService(storage, logger: logger), server],
    ///     gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// | when | effect |
    /// |------|--------|
    /// | the service starts | `READY=1` notifies systemd that the program is ready |
    /// | a signal arrives | `RELOADING=1`; every source is loaded again, the program accepts or rejects the new values (`Live.apply`), and the observers are called; `STATUS=` says which keys became active since the last reload, and when, and which edits were rejected; `READY=1`. This is the handshake of `Type=notify-reload` |
    /// | graceful shutdown, or cancellation | `STOPPING=1`; everything that `Live.apply` handlers have prepared is committed or aborted, and they are asked about no further edit; writes that were deferred with `setLater` are completed |
    ///
    /// Changes of files are noticed without a signal and without this service. The service adds the reload that
    /// administrators expect of `systemctl reload`. It works even where a watcher sees nothing, such as on a network
    /// file system.
    ///
    /// Put this service before the services that read the preferences. A group stops its services in reverse order,
    /// so the deferred writes of the other services are then completed. Signals are received through Dispatch, so
    /// another handler of the same signal is called as well.
    public struct PrefsService: Service, CustomStringConvertible {
        private let storage: PrefsStack
        private let signals: [UnixSignal]
        private let notifiesReadiness: Bool
        private let logger: Logger?
        private var inspect: (@Sendable () throws -> PrefsInspection)?

        /// Creates a service.
        ///
        /// - Parameters:
        ///   - storage: The stack to reload.
        ///   - signals: The signals that reload it.
        ///   - notifiesReadiness: Whether the program is ready when this service has started. If you pass `false`, call
        ///     ``ServiceNotification/ready()`` yourself.
        ///   - logger: A logger for each accepted edit, with its keys, file and generation, and for each reload on a
        ///     signal; `nil` for none. No value is logged, except a value that a problem names.
        public init(
            _ storage: PrefsStack, reloadingOn signals: [UnixSignal] = [.sighup],
            notifiesReadiness: Bool = true, logger: Logger? = nil
        ) {
            self.storage = storage
            self.signals = signals
            self.notifiesReadiness = notifiesReadiness
            self.logger = logger
        }

        /// Returns a copy of this service that also serves inspection of the stack while it runs.
        ///
        /// ```swift
        /// PrefsService(storage).inspected(domain: "com.example.myd", keys: Settings.keys)
        /// ```
        ///
        /// If the socket cannot be created, the stack's diagnostics report it, and the program runs on. The
        /// parameters are the same as for
        /// `PrefsStack.serveInspection(domain:keys:in:permitting:historyLength:)`.
        ///
        /// - Parameters:
        ///   - domain: The domain under which `prefs ps` lists this process.
        ///   - keys: The program's declared keys. They give the types of values, and mark secrets.
        ///   - folder: The folder for the sockets of all domains; by default `$XDG_RUNTIME_DIR/prefs` or `/run/prefs`.
        ///   - permissions: The operations permitted to clients besides reading; none by default.
        ///   - historyLength: The number of change sets that `prefs history` can show; 0 records none.
        public func inspected(
            domain: String, keys: [PrefsKeyDescription] = [], in folder: String? = nil,
            permitting permissions: PrefsInspection.Permissions = [], historyLength: Int = 100
        ) -> PrefsService {
            var service = self
            service.inspect = { [storage] in
                try storage.serveInspection(
                    domain: domain, keys: keys, in: folder, permitting: permissions,
                    historyLength: historyLength)
            }
            return service
        }

        /// Handles signals until graceful shutdown or cancellation, then completes deferred writes and returns.
        public func run() async {
            // The handlers are installed before readiness is announced: systemd may send the signal at once,
            // which would otherwise end the process.
            let received = await UnixSignalsSequence(trapping: signals)
            storage.resumeApplying()
            let inspection = startInspection()
            defer { inspection?.close() }
            let activated = ActivatedChanges()
            let following = follow(activated)
            defer { following.cancel() }
            if notifiesReadiness { ServiceNotification.ready() }
            for await _ in received.cancelOnGracefulShutdown() {
                await ServiceNotification.reloading { await reload(activated) }
            }
            ServiceNotification.stopping()
            // This also happens after a cancellation. But a handler that never returns must not keep the program
            // from ending.
            await Task.detached { [storage] in await storage.stopApplying(within: .seconds(5)) }.value
            await storage.flush()
        }

        /// Notes what becomes active from now on, and logs each accepted edit.
        private func follow(_ activated: ActivatedChanges) -> PrefsObservation {
            storage.observe { [logger] set in
                activated.add(set)
                guard let logger, let edit = AcceptedEdit(set) else { return }
                var metadata: Logger.Metadata = [
                    "keys": .array(edit.keys.map { "\($0)" }), "generation": "\(edit.generation)",
                ]
                if !edit.files.isEmpty { metadata["file"] = "\(edit.files.joined(separator: ", "))" }
                logger.notice("\(edit.message)", metadata: metadata, source: "LayeredPrefs")
            }
        }

        /// Reloads, waits until the program has accepted or rejected the new values, and reports the outcome.
        private func reload(_ activated: ActivatedChanges) async {
            storage.reload()
            // An observer or a handler that never returns must not keep the program from ending.
            await cancelWhenGracefulShutdown { await storage.applied() }
            let outcome = ReloadOutcome(activated.take(), of: storage)
            ServiceNotification.status(outcome.status)
            logger?.log(
                level: outcome.problems.isEmpty ? .notice : .error, "\(outcome.status)",
                metadata: outcome.keys.isEmpty ? [:] : ["keys": .array(outcome.keys.map { "\($0)" })],
                source: "LayeredPrefs")
        }

        /// The service's name in the log of a service group: `PrefsService(reloading on SIGHUP)`.
        public var description: String {
            "PrefsService(reloading on \(signals.map { "\($0)" }.joined(separator: ", ")))"
        }

        private func startInspection() -> PrefsInspection? {
            do {
                return try inspect?()
            } catch {
                let error = error as? PrefsError ?? PrefsError(.unreadable, reason: "\(error)")
                storage.diagnostics.report(.warning, error)
                return nil
            }
        }
    }
#endif
