import FileWatching
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("Status") struct StatusTests {
    @Test func `every source reports its layer, generation, age and engine`() async throws {
        let sandbox = try PrefsSandbox(environment: ["MYD_A": "1"])
        try sandbox.write(["a": 1], to: sandbox.vendor)
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .polling)
        let storage = sandbox.standard(options: options)
        let start = storage.snapshot.generation
        try sandbox.write(["b": 2], to: sandbox.user)
        await storage.reloadAndSettle()
        let status = storage.status
        let user = try #require(status.first { $0.file == sandbox.user })
        #expect(user.layer == "user")
        #expect(user.generation == storage.snapshot.generation)
        #expect(user.engine == .polling)
        #expect(user.age != nil)
        #expect(
            user.description.hasPrefix(
                "user \(sandbox.user): generation \(storage.snapshot.generation), read "))
        #expect(user.description.hasSuffix(", watched by polling"))
        let vendor = try #require(status.first { $0.file == sandbox.vendor })
        #expect(vendor.generation == start)
        let environment = try #require(status.first { $0.layer == "environment" })
        #expect(environment.engine == nil)
        #expect(environment.generation == start)
        #expect(environment.age == nil)
    }

    @Test func `a broken file reports its problem and keeps the effective generation`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["a": 1], to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        let reported = Recorder.diagnostics(of: options.diagnostics)
        let storage = sandbox.standard(options: options)
        let start = storage.snapshot.generation
        try sandbox.write("<plist>", to: sandbox.user)
        try sandbox.write(["c": 1], to: sandbox.administrator)
        await storage.reloadAndSettle()
        let user = try #require(storage.status.first { $0.file == sandbox.user })
        let problem = try #require(user.problem)
        let report = try #require(reported.elements.first?.error)
        #expect(report.origin?.layer == "user")
        #expect(report.origin?.file == sandbox.user && report.origin?.position == problem.origin?.position)
        #expect(report.reason == problem.reason + "; keeping the previous version")
        #expect(user.generation == start)
        #expect(user.description.contains("problem: "))
    }

    @Test func `reloading equal content keeps the generation`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["a": 1], to: sandbox.user)
        let storage = sandbox.standard()
        let start = storage.snapshot.generation
        try sandbox.write(["a": 1], to: sandbox.user)
        await storage.reloadAndSettle()
        #expect(storage.status.first { $0.file == sandbox.user }?.generation == start)
    }

    @Test(arguments: [FileWatcherEngine.kernel, .polling]) func `a watch reports how its path is watched`(
        _ engine: FileWatcherEngine
    ) throws {
        let sandbox = try PrefsSandbox()
        let watch = FileWatcher(engine: engine).watch(sandbox.root) { _ in }
        #expect(watch.status?.engine == engine)
        #expect(watch.status?.path == sandbox.root)
        watch.cancel()
        #expect(watch.status == nil)
    }
}
