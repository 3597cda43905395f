#if Etcd
    import LayeredPrefs

    /// Reports the beginning and the end of an outage, once each.
    struct OutageLog {
        private let diagnostics: PrefsDiagnostics
        private let prefix: String
        /// The kinds of failure that have been reported since the last recovery.
        private var reported: [EtcdFailure.Kind] = []

        init(diagnostics: PrefsDiagnostics, prefix: String) {
            self.diagnostics = diagnostics
            self.prefix = prefix
        }

        /// Notes a failure.
        ///
        /// - Parameters:
        ///   - isTotal: True if every endpoint has failed. Until then only what another endpoint would refuse as
        ///     well is reported.
        ///   - revision: The revision of the contents that remain effective; `nil` if there are none.
        mutating func note(_ failure: EtcdFailure, at endpoint: String, isTotal: Bool, revision: Int64?) {
            let concernsAll = failure.kind == .permission || failure.kind == .credentials
            guard isTotal || concernsAll, !reported.contains(failure.kind) else { return }
            reported.append(failure.kind)
            let rest =
                revision.map { "the contents of revision \($0) remain effective" } ?? "the layer is empty"
            let reason = "\(endpoint): \(failure.message); \(rest) until a server answers"
            diagnostics.report(.error, PrefsError(.unreadable, origin: origin, reason: reason))
        }

        mutating func noteRecovery(at endpoint: String) {
            if reported.isEmpty { return }
            reported = []
            diagnostics.report(
                .recovered, PrefsError(.unreadable, origin: origin, reason: "connected to \(endpoint)"))
        }

        private var origin: PrefsOrigin { PrefsOrigin(file: "etcd \(prefix)") }
    }
#endif
