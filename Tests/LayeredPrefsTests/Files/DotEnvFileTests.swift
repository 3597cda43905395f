import FileWatching
import Glibc
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite struct DotEnvFileTests {
    private let sandbox: PrefsSandbox
    private let diagnostics = PrefsDiagnosticHandler()
    private let path: String

    init() throws {
        sandbox = try PrefsSandbox()
        path = "\(sandbox.root)/.env"
    }

    /// Options with a watcher that reports nothing on its own.
    private var manual: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = diagnostics
        return options
    }

    private func stack(_ options: FilePrefsStorage.Options) -> PrefsStack {
        PrefsStack(diagnostics: diagnostics) {
            PrefsLayer.defaults(["http": ["port": 1]])
            PrefsLayer.dotEnv(at: path, prefix: "MYD_", options: options)
            PrefsLayer.overrides
        }
    }

    @Test func `text is parsed by the key's type, with its place as origin`() throws {
        try sandbox.write("# a\nexport MYD_HTTP_PORT='8080'\nOTHER=1\n", to: path)
        let storage = stack(manual)
        let resolution = storage.resolution(for: .port)
        #expect(resolution.value == 8080)
        #expect(resolution.origin?.file == path && resolution.origin?.position == .line(2, column: 8))
        #expect(resolution.origin?.spelling == "MYD_HTTP_PORT")
        #expect(resolution.origin?.layer == "dotenv")
    }

    @Test func `the fields of a struct have variables of their own`() throws {
        struct Server: Codable, Equatable, Sendable {
            var host = "::"
            var port = 80
        }
        try sandbox.write("MYD_SERVER_PORT=8080\n", to: path)
        let resolution = stack(manual).resolution(for: PersistentKey("server", defaultValue: Server()))
        #expect(resolution.value == Server(port: 8080))
        #expect(resolution.origin?.file == path && resolution.origin?.position == .line(1, column: 1))
        #expect(resolution.origin?.spelling == "MYD_SERVER_PORT")
    }

    @Test func `a change set names the key whose variable has changed below another value`() async throws {
        try sandbox.write("MYD_HTTP_PORT=1\n", to: path)
        let storage = stack(manual)
        storage.declare(.port)
        try storage.set(.port, to: 9, in: .overrides)
        let sets = Recorder<PrefsChangeSet>()
        sets.keep(storage.observe { sets.record($0) })
        try sandbox.write("MYD_HTTP_PORT=2\n", to: path)
        storage.reload()
        #expect(try await sets.wait { !$0.isEmpty }[0].shadowed == ["http.port"])
    }

    @Test func `text that does not parse is rejected with its place`() throws {
        try sandbox.write("MYD_HTTP_PORT=many\n", to: path)
        let reported = Recorder.diagnostics(of: diagnostics)
        let storage = stack(manual)
        storage.declare(PersistentKey<Int>.port)
        #expect(storage.get(.port) == 1)
        #expect(reported.elements.map(\.error.origin?.position) == [.line(1, column: 1)])
        reported.stop()
    }

    @Test func `a rejected line is reported once, and so is its correction`() throws {
        try sandbox.write("MYD_HTTP_PORT=2\nMYD_X=$(id)\n", to: path)
        let reported = Recorder.diagnostics(of: diagnostics)
        let storage = stack(manual)
        #expect(storage.get(.port) == 2)
        storage.reload()
        try sandbox.write("MYD_HTTP_PORT=3\nMYD_X=$(id)\n", to: path)
        storage.reload()
        #expect(storage.get(.port) == 3)
        #expect(
            reported.elements.map(\.description) == [
                "error: dotenv \(path):2:7: line not used: commands are not run; quote $( with '…'"
            ])
        #expect(storage.status.compactMap(\.problem).count == 1)
        try sandbox.write("MYD_HTTP_PORT=3\n", to: path)
        storage.reload()
        #expect(reported.elements.map(\.severity) == [.error, .recovered])
        #expect(storage.status.compactMap(\.problem).isEmpty)
        reported.stop()
    }

    @Test func `what cannot be read keeps the last good contents`() throws {
        try sandbox.write("MYD_HTTP_PORT=2\n", to: path)
        let reported = Recorder.diagnostics(of: diagnostics)
        let storage = stack(manual)
        try sandbox.remove(path)
        try sandbox.write("", to: "\(path)/x")
        storage.reload()
        storage.reload()
        #expect(storage.get(.port) == 2)
        #expect(reported.elements.map(\.error.code) == [.notARegularFile])
        try sandbox.remove(path)
        storage.reload()
        #expect(storage.get(.port) == 1)
        #expect(reported.elements.map(\.severity) == [.error, .recovered])
        reported.stop()
    }

    @Test func `an edit is one change of the keys that it sets`() async throws {
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let storage = stack(options)
        let ports = Recorder.changes(of: PersistentKey<Int>.port, in: storage)
        let other = PersistentKey("other", defaultValue: "x")
        let others = Recorder.changes(of: other, in: storage)
        #expect(storage.get(.port) == 1)
        try sandbox.write("MYD_HTTP_PORT=2\n", to: path)
        let first = try await ports.wait(within: .seconds(60)) { !$0.isEmpty }
        #expect(first.first?.new.value == 2 && first.first?.new.origin?.file == path)
        #expect(storage.get(.port) == 2)
        try sandbox.write("# moved\nMYD_HTTP_PORT=2\n", to: path)
        await storage.reloadAndSettle()
        #expect(storage.resolution(for: .port).origin?.position == .line(2, column: 1))
        try sandbox.write("MYD_OTHER=y\n", to: path)
        await storage.reloadAndSettle()
        #expect(storage.get(.port) == 1)
        #expect(ports.elements.map(\.new.value) == [2, 1])
        #expect(others.elements.map(\.new.value) == ["y"])
    }

    private let token = PersistentKey("token", defaultValue: "none", .secret)
    private var secret: String { "\(sandbox.root)/token" }

    @Test func `a reload reads the secret files that the variables name`() throws {
        try sandbox.write("first\n", to: secret)
        try sandbox.write("MYD_TOKEN_FILE=\(secret)\n", to: path)
        let reported = Recorder.diagnostics(of: diagnostics)
        let storage = stack(manual)
        #expect(storage.get(token) == "first")
        try sandbox.write("second\n", to: secret)
        storage.reload()
        #expect(storage.get(token) == "second")
        #expect(storage.resolution(for: token).origin?.file == secret)
        try sandbox.remove(secret)
        storage.reload()
        #expect(storage.get(token) == "second")
        #expect(reported.elements.map(\.error.code) == [.missing])
        #expect(storage.status.compactMap(\.problem?.code) == [.missing])
        try sandbox.write("third\n", to: secret)
        storage.reload()
        #expect(storage.get(token) == "third")
        #expect(reported.elements.map(\.severity) == [.error, .recovered])
        reported.stop()
    }

    @Test func `a secret file that the file comes to name is read`() throws {
        try sandbox.write("first", to: secret)
        try sandbox.write("other", to: "\(secret).2")
        try sandbox.write("MYD_TOKEN_FILE=\(secret)\n", to: path)
        let storage = stack(manual)
        #expect(storage.get(token) == "first")
        try sandbox.write("MYD_TOKEN_FILE=\(secret).2\n", to: path)
        storage.reload()
        #expect(storage.get(token) == "other")
        try sandbox.write("another", to: "\(secret).2")
        storage.reload()
        #expect(storage.get(token) == "another")
    }

    @Test func `a secret file that changes is a change of its key`() async throws {
        try sandbox.write("first\n", to: secret)
        try sandbox.write("MYD_TOKEN_FILE=\(secret)\n", to: path)
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let storage = stack(options)
        let changes = Recorder.changes(of: token, in: storage)
        #expect(storage.get(token) == "first")
        try sandbox.write("second\n", to: secret)
        #expect(try await changes.wait(within: .seconds(60)) { !$0.isEmpty }.map(\.new.value) == ["second"])
    }

    @Test func `the policy holds for the secret files`() throws {
        try sandbox.write("first", to: secret)
        #expect(unsafe chmod(secret, 0o666) == 0)
        try sandbox.write("MYD_TOKEN_FILE=\(secret)\n", to: path)
        var options = manual
        options.policy = .trusted
        let resolution = stack(options).resolution(for: token)
        #expect(resolution.value == "none")
        #expect(resolution.rejected.map(\.code) == [.untrusted])
    }

    @Test func `used alone, without a prefix`() throws {
        try sandbox.write("HTTP_PORT=2\n", to: path)
        let storage = EnvironmentPrefsStorage.DotEnv(path: path, prefix: "", options: manual)
        #expect(storage.get(.port) == 2)
        #expect(!storage.isWritable)
        #expect(storage.status.map(\.file) == [path])
    }
}
