import LayeredPrefsReference
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

private struct Options: Codable, Equatable, Sendable {
    struct TLS: Codable, Equatable, Sendable {
        var minimum = "1.2"
        var isRequired = false
    }

    var timeout = Duration.seconds(30)
    var tls = TLS()
}

@PrefsSchema private final class FlagPrefs {
    @Storage var storage: PrefsStack

    /// The port to
    /// listen on.
    @Pref(key: "listen.port", in: 1...65535) var port: Int = 8080
    @Pref(key: "listen.host") var host: String?
    @Pref(key: "features.tracing") var tracing: Bool = true
    @Pref(key: "httpClient.readTimeout", formerly: "timeout") var timeout: Int = 1
    @Pref(secret: true) var token: String = "hunter2"
    /// The server.
    @Pref var server: Options = Options()

    init(_ storage: PrefsStack) { self.storage = storage }
}

@Suite struct ArgumentFlagsTests {
    private let diagnostics = PrefsDiagnosticHandler()

    private func open(_ arguments: [String], style: ArgumentsPrefsStorage.Style = .flags)
        -> PrefsStack
    {
        PrefsStack(diagnostics: diagnostics) {
            PrefsLayer.defaults(["listen": ["host": "default"]])
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "MYD_", environment: [:]))
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments, style: style))
        }
    }

    /// Returns the stored form of a property's effective value.
    private func value(of key: String, _ arguments: [String]) throws -> PrefsValue? {
        let prefs = FlagPrefs(open(arguments))
        try prefs.storage.checkArguments(of: FlagPrefs.keys)
        let description = try #require(FlagPrefs.keys.first { $0.name == key })
        return description.stored.value(prefs.storage.snapshot, "")
    }

    @Test(arguments: [
        (["--listen-port", "9090"], "listen.port", PrefsValue.integer(9090)),
        (["--listen-port=9090"], "listen.port", 9090),
        (["--listen-port", "1", "--listen-port=2"], "listen.port", 2),
        (["--listen-port", "1", "--", "--listen-port", "2"], "listen.port", 1),
        (["run", "-v", "--listen-port", "1", "file"], "listen.port", 1),
        (["--listen-host="], "listen.host", ""),
        (["--listen-host=--a=b"], "listen.host", "--a=b"),
        (["--listen-host", "-1"], "listen.host", "-1"),
        ([], "listen.host", "default"),
        (["--features-tracing"], "features.tracing", true),
        (["--no-features-tracing"], "features.tracing", false),
        (["--features-tracing=false"], "features.tracing", false),
        (["--features-tracing", "--no-features-tracing"], "features.tracing", false),
        (["--no-features-tracing", "--features-tracing"], "features.tracing", true),
        (["--features-tracing", "file"], "features.tracing", true),
        (["--http-client-read-timeout", "5"], "httpClient.readTimeout", 5),
        (["--timeout", "5"], "httpClient.readTimeout", 5),
        (["--help"], "listen.port", 8080),
    ])
    func `a flag sets the key with its words`(_ arguments: [String], _ key: String, _ expected: PrefsValue)
        throws
    {
        #expect(try value(of: key, arguments) == expected)
    }

    @Test(arguments: [true, false])
    func `the fields of a struct have flags`(_ isSchema: Bool) throws {
        let arguments = ["--server-timeout", "5s", "--server-tls-is-required", "--server-tls-minimum=1.3"]
        let storage = open(arguments)
        let key = PersistentKey("server", defaultValue: Options())
        if isSchema { _ = FlagPrefs(storage).server } else { storage.declare(key) }
        try storage.checkArguments()
        let expected = Options(timeout: .seconds(5), tls: Options.TLS(minimum: "1.3", isRequired: true))
        #expect(storage.get(key) == expected)
        #expect(try value(of: "server", ["--no-server-tls-is-required"]) == value(of: "server", []))
    }

    @Test func `a key that nobody declares has a flag as well, and its origin names it`() {
        let storage = open(["--log-level", "debug", "--verbose"])
        let key = PersistentKey("log.level", defaultValue: "info")
        #expect(storage.get(key) == "debug")
        let origin = storage.resolution(for: key).origin
        #expect(origin?.layer == "arguments" && origin?.spelling == "--log-level")
        #expect(storage.value(forKey: "verbose") == "true")
    }

    @Test func `a lock that takes flags out of force lists their keys as changed`() async throws {
        let storage = open(["--listen-port", "1", "--listen-host", "a"])
        try storage.checkArguments(of: FlagPrefs.keys)
        let received = Recorder<PrefsChangeSet>()
        let observation = storage.observe(received.record)
        storage.lock("listen", at: .defaults)
        await storage.reloadAndSettle()
        #expect(received.elements.flatMap(\.changes).map(\.key) == ["listen.host", "listen.port"])
        observation.cancel()
    }

    @Test(arguments: [
        (["--listen-prot", "1"], ["arguments --listen-prot: unknown flag; did you mean “--listen-port”?"]),
        (["--zzzzzzzzzz"], ["arguments --zzzzzzzzzz: unknown flag"]),
        (["--no-listen-port"], ["arguments --no-listen-port: unknown flag; did you mean “--listen-port”?"]),
        (["--no-features-tracing=1"], ["arguments --no-features-tracing: takes no value"]),
        (
            ["--listen-port"],
            [
                "arguments --listen-port: listen.port: expected a value, as in --listen-port VALUE; "
                    + "one that begins with “--” needs an equals sign"
            ]
        ),
        (
            ["--listen-port", "many"],
            ["arguments --listen-port: listen.port: expected an integer, found the string \"many\""]
        ),
        (
            ["--listen-port=0"],
            ["arguments --listen-port: listen.port: expected 1...65535, found the integer 0"]
        ),
        (
            ["--server-tls-minimun=1"],
            ["arguments --server-tls-minimun: unknown flag; did you mean “--server-tls-minimum”?"]
        ),
        (["--a", "--b"], ["arguments --a: unknown flag", "arguments --b: unknown flag"]),
        (["--set", "listen.port=1"], ["arguments --set: unknown flag"]),
    ])
    func `an unknown or wrong flag is an error with status 64`(_ arguments: [String], _ expected: [String])
        throws
    {
        let prefs = FlagPrefs(open(arguments))
        let error = try #require(throws: PrefsError.self) {
            try prefs.storage.checkArguments(of: FlagPrefs.keys)
        }
        #expect(error.exitStatus == 64 && error.code == .usage)
        let problems = error.problems
        #expect(problems.map(\.description) == expected)
        #expect(expected.allSatisfy(error.description.contains))
    }

    @Test func `a wrong secret is not shown`() throws {
        let key = PersistentKey("pin", defaultValue: 0, .secret)
        let storage = open(["--pin", "geheim"])
        storage.declare(key)
        let error = try #require(throws: PrefsError.self) { try storage.checkArguments() }
        #expect(error.exitStatus == 64 && !error.description.contains("geheim"))
    }

    @Test(arguments: [
        (["--set", "listen.prot=1"], "arguments listen.prot: unknown key; did you mean “listen.port”?"),
        (
            ["--set=listen.port=many"],
            "arguments: listen.port: expected an integer, found the string \"many\""
        ),
    ])
    func `so are settings of the other style`(_ arguments: [String], _ expected: String) throws {
        let prefs = FlagPrefs(open(arguments + ["--verbose"], style: .settings))
        let error = try #require(throws: PrefsError.self) {
            try prefs.storage.checkArguments(of: FlagPrefs.keys)
        }
        #expect(error.exitStatus == 64)
        #expect(error.key.map(expected.contains) == true, "\(error)")
    }

    @Test func `other errors carry the status 1`() {
        #expect(PrefsError(.syntax, reason: "").exitStatus == 1)
        var several = PrefsError(.invalid, reason: "2 problems")
        several.related = [
            PrefsError(.wrongType, origin: PrefsOrigin(file: "/etc/a.toml"), reason: ""),
            PrefsError(.wrongType, origin: PrefsOrigin(layer: "arguments"), reason: ""),
        ]
        #expect(several.exitStatus == 64)
    }

    @Test func `the help text lists the flags with their documentation`() {
        #expect(
            FlagPrefs.flagsHelp == """
                  --listen-port <integer>
                      The port to listen on. Allowed: 1...65535. Default: 8080.
                  --listen-host <string>
                  --[no-]features-tracing
                      Default: true.
                  --http-client-read-timeout <integer>
                      Default: 1.
                  --token <string>
                  --server-timeout <duration>
                      The server. Default: "30s".
                  --server-tls-minimum <string>
                      The server. Default: "1.2".
                  --[no-]server-tls-is-required
                      The server. Default: false.

                """)
    }

    @Test func `a daemon and the standard stack take flags`() throws {
        let sandbox = try PrefsSandbox()
        let daemon = PrefsStack.daemon(
            "relay", root: sandbox.root, environment: [:], arguments: ["--listen-port", "1"],
            argumentsStyle: .flags)
        #expect(daemon.get(PersistentKey("listen.port", defaultValue: 0)) == 1)
        #expect(PrefsLayer.arguments(style: .flags).name == .arguments)
    }
}
