#if Metrics
    import CoreMetrics
    import LayeredPrefs
    import LayeredPrefsMetrics
    import LayeredPrefsTesting
    import MetricsTestKit
    import Testing

    @Suite struct PrefsMetricsTests {
        private let sandbox: PrefsSandbox
        private let storage: PrefsStack
        private let factory = TestMetrics()
        private let reported: LayeredPrefsTesting.Recorder<PrefsDiagnostic>
        private let port = PersistentKey("http.port", defaultValue: 80, in: 1...65535)

        init() throws {
            sandbox = try PrefsSandbox()
            try sandbox.write(["http": ["port": 1]], to: sandbox.user)
            let diagnostics = PrefsDiagnosticHandler()
            reported = LayeredPrefsTesting.Recorder.diagnostics(of: diagnostics)
            var options = FilePrefsStorage.Options()
            options.diagnostics = diagnostics
            options.coalescing = .immediate
            storage = sandbox.standard(options: options)
        }

        private func count(_ label: String, _ dimensions: (String, String)...) -> Int64? {
            try? factory.expectCounter(label, dimensions).totalValue
        }

        private func meter(_ label: String, _ dimensions: (String, String)...) -> Double? {
            try? factory.expectMeter(label, dimensions).lastValue
        }

        @Test func `commits, changes and durations`() async throws {
            let metrics = PrefsMetrics(of: storage, factory: factory)
            try sandbox.write(["http": ["port": 2], "a": 1], to: sandbox.user)
            await storage.reloadAndSettle()
            try storage.set(port, to: 3, in: .overrides)
            await storage.reloadAndSettle()
            let files =
                (count("layeredprefs.commits", ("cause", "file")) ?? 0)
                + (count("layeredprefs.commits", ("cause", "reload")) ?? 0)
            #expect(files == 1)
            #expect(count("layeredprefs.commits", ("cause", "write")) == 1)
            #expect(count("layeredprefs.changes", ("cause", "write")) == 1)
            let reloads = try factory.expectTimer("layeredprefs.reload.duration").values
            #expect(!reloads.isEmpty && reloads.allSatisfy { $0 > 0 })
            let age = try #require(meter("layeredprefs.source.age", ("layer", "user")))
            metrics.update()
            #expect(try #require(meter("layeredprefs.source.age", ("layer", "user"))) >= age)
        }

        @Test func `rejected keys, broken files and diagnostics, which keep their destination`() async throws
        {
            let metrics = PrefsMetrics(of: storage, domain: "myd", factory: factory)
            storage.declare(port)
            let domain = ("domain", "myd")
            #expect(meter("layeredprefs.keys.rejected", domain) == 0)
            try sandbox.write(["http": ["port": 0]], to: sandbox.user)
            await storage.reloadAndSettle()
            #expect(
                count("layeredprefs.diagnostics", ("severity", "error"), ("code", "invalid"), domain) == 1)
            metrics.update()
            #expect(meter("layeredprefs.keys.rejected", domain) == 1)
            try sandbox.write("<plist>", to: sandbox.user)
            await storage.reloadAndSettle()
            #expect(meter("layeredprefs.sources.failing", domain) == 1)
            #expect(count("layeredprefs.diagnostics", ("severity", "error"), ("code", "syntax"), domain) == 1)
            try sandbox.write(["http": ["port": 5]], to: sandbox.user)
            await storage.reloadAndSettle()
            metrics.update()
            #expect(meter("layeredprefs.sources.failing", domain) == 0)
            #expect(meter("layeredprefs.keys.rejected", domain) == 0)
            #expect(reported.elements.count == 4)
        }

        @Test func `a released object records nothing`() async throws {
            var metrics: PrefsMetrics? = PrefsMetrics(of: storage, factory: factory)
            #expect(metrics != nil)
            metrics = nil
            try storage.set(port, to: 3, in: .overrides)
            await storage.reloadAndSettle()
            #expect(count("layeredprefs.commits", ("cause", "write")) == nil)
            #expect(try factory.expectTimer("layeredprefs.reload.duration").values.isEmpty)
        }
    }
#endif
