#if Metrics
    import CoreMetrics
    import LayeredPrefs
    import PrefsSystem

    /// The metrics of one stack.
    final class Instruments: Sendable {
        private let reload: Timer
        private let domain: [(String, String)]
        private let factory: any MetricsFactory
        private let rejected: Meter
        private let failing: Meter
        // Created at first use, because their dimensions are not known before. The numbers of causes, codes and
        // layers limit their number.
        private let counters = Lock<[[String]: Counter]>([:])
        private let ages = Lock<[String: Meter]>([:])

        init(domain: String?, factory: any MetricsFactory) {
            let dimensions = domain.map { [("domain", $0)] } ?? []
            self.domain = dimensions
            self.factory = factory
            func meter(_ label: String) -> Meter {
                Meter(label: label, dimensions: dimensions, factory: factory)
            }
            reload = Timer(label: "layeredprefs.reload.duration", dimensions: dimensions, factory: factory)
            rejected = meter("layeredprefs.keys.rejected")
            failing = meter("layeredprefs.sources.failing")
        }

        func record(_ changes: PrefsChangeSet) {
            let cause = ("cause", changes.cause.rawValue)
            counter("layeredprefs.commits", cause).increment()
            if !changes.changes.isEmpty {
                counter("layeredprefs.changes", cause).increment(by: changes.changes.count)
            }
        }

        func record(reload duration: Duration) { reload.recordNanoseconds(duration.nanoseconds) }

        func record(_ diagnostic: PrefsDiagnostic) {
            counter(
                "layeredprefs.diagnostics", ("severity", diagnostic.severity.rawValue),
                ("code", diagnostic.error.code.description)
            ).increment()
        }

        func record(_ storage: PrefsStack) {
            let status = storage.status
            rejected.set(storage.rejectedKeyCount)
            failing.set(status.count { $0.problem != nil || $0.rejection != nil })
            var oldest: [String: Duration] = [:]
            for source in status {
                guard let age = source.age, let layer = source.layer?.prefix(while: { $0 != "." }) else {
                    continue
                }
                oldest[String(layer)] = max(age, oldest[String(layer)] ?? .zero)
            }
            for (layer, age) in oldest { self.age(of: layer).set(age / .seconds(1)) }
        }

        private func counter(_ label: String, _ dimensions: (String, String)...) -> Counter {
            counters.withLock { counters in
                let name = [label] + dimensions.map(\.1)
                let known = counters[name]
                let counter =
                    known ?? Counter(label: label, dimensions: dimensions + domain, factory: factory)
                counters[name] = counter
                return counter
            }
        }

        private func age(of layer: String) -> Meter {
            ages.withLock { ages in
                let meter =
                    ages[layer]
                    ?? Meter(
                        label: "layeredprefs.source.age", dimensions: [("layer", layer)] + domain,
                        factory: factory)
                ages[layer] = meter
                return meter
            }
        }
    }
#endif
