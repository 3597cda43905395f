#if Metrics
    public import CoreMetrics
    public import LayeredPrefs

    /// Metrics of a stack, reported to swift-metrics for as long as this object exists.
    ///
    /// ```swift
    /// let metrics = PrefsMetrics(of: storage)
    /// ```
    ///
    /// | label                            | kind    | dimensions         | meaning                             |
    /// |----------------------------------|---------|--------------------|-------------------------------------|
    /// | `layeredprefs.commits`           | counter | `cause`            | generations with a difference       |
    /// | `layeredprefs.changes`           | counter | `cause`            | keys whose effective value changed  |
    /// | `layeredprefs.reload.duration`   | timer   |                    | time to read edited files and commit |
    /// | `layeredprefs.diagnostics`       | counter | `severity`, `code` | diagnostics, such as rejected values and broken files |
    /// | `layeredprefs.keys.rejected`     | meter   |                    | declared keys with a rejected value in some layer now |
    /// | `layeredprefs.sources.failing`   | meter   |                    | sources that have a problem, or whose newest revision is rejected |
    /// | `layeredprefs.source.age`        | meter   | `layer`            | seconds since the layer's least recently read source was read, if it has such a time; for a remote layer, the possible age of its contents |
    ///
    /// No label or dimension contains a key, a value or a path. So the number of metrics is bounded, and no secret is
    /// reported. Reads and writes cost nothing more. Durations are measured only while this object exists. The meters
    /// are recorded at every commit and diagnostic. The age grows between them, so call ``update()`` as often as your
    /// metrics are collected.
    ///
    /// The diagnostics are the reports to the stack's own destination, `PrefsStack.diagnostics`. They are
    /// still printed to standard error if they have no other destination. Any thread may create, use and release this
    /// object.
    public final class PrefsMetrics: Sendable {
        private let instruments: Instruments
        private let observations: [PrefsObservation]
        private weak let storage: PrefsStack?

        /// Starts to report metrics.
        ///
        /// - Parameters:
        ///   - storage: The stack, which this object does not keep alive.
        ///   - domain: A name that distinguishes several stacks of one process. It becomes an additional dimension
        ///     `domain` of every metric.
        ///   - factory: The destination of the metrics; by default the factory that the program has bootstrapped.
        public init(
            of storage: PrefsStack, domain: String? = nil,
            factory: any MetricsFactory = MetricsSystem.factory
        ) {
            let instruments = Instruments(domain: domain, factory: factory)
            self.instruments = instruments
            self.storage = storage
            observations = [
                storage.observe { [weak storage] changes in
                    instruments.record(changes)
                    if let storage { instruments.record(storage) }
                },
                storage.diagnostics.observe { [weak storage] diagnostic in
                    instruments.record(diagnostic)
                    if let storage { instruments.record(storage) }
                },
                storage.observeReloads { instruments.record(reload: $0) },
            ]
            update()
        }

        /// Records the meters now.
        public func update() {
            if let storage { instruments.record(storage) }
        }
    }
#endif
