import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

struct ServerOptions: Codable, Equatable, Sendable {
    struct TLS: Codable, Equatable, Sendable {
        var minimum = "1.2"
        var certificate: String?
    }

    enum Target: Codable, Equatable, Sendable {
        case local
        case relay(host: String)
    }

    var host = "::"
    var timeout = Duration.seconds(30)
    var tls = TLS()
    var ports = [25]
    var labels: [String: Int] = [:]
    var target = Target.local
    var backup: TLS?
}

extension PersistentKey where Value == ServerOptions {
    static var server: Self { Self("server", defaultValue: ServerOptions()) }
}

@PrefsSchema private final class ServerPrefs {
    @Storage var storage: PrefsStack

    @Pref var server: ServerOptions = ServerOptions()

    init(_ storage: PrefsStack) { self.storage = storage }
}

@Suite struct FieldMergeTests {
    private let key = PersistentKey("server", defaultValue: ServerOptions())

    private func answer(_ layers: PrefsValue...) -> PrefsAnswer<ServerOptions> {
        key.resolve(candidates: layers.map { PrefsCandidate($0) })
    }

    private func options(_ change: (inout ServerOptions) -> Void) -> ServerOptions {
        var options = ServerOptions()
        change(&options)
        return options
    }

    @Test func `a layer may set one field`() {
        let answer = answer(["tls": ["minimum": "1.3"]], ["timeout": "1m"])
        #expect(answer.value == options { ($0.tls.minimum, $0.timeout) = ("1.3", .seconds(60)) })
        #expect(answer.winner == 0)
        #expect(answer.rejections.isEmpty)
    }

    @Test func `a wrong field is rejected alone and its next lower value is effective`() {
        let answer = answer(
            ["host": "a", "timeout": "soon"], ["timeout": 60, "tls": ["minimum": "1.3"]], ["timeout": "1m"])
        #expect(
            answer.value
                == options { ($0.host, $0.timeout, $0.tls.minimum) = ("a", .seconds(60), "1.3") })
        #expect(
            answer.rejections.map(\.description) == [
                #"server.timeout: expected a duration such as "30s" or "1h30m", found the string "soon""#,
                """
                server.timeout: expected a duration such as "30s" or "1h30m", found the integer 60; \
                did you mean “60s”?
                """,
            ])
    }

    @Test func `arrays and dictionaries are fields that replace as a whole`() {
        let answer = answer(
            ["ports": [465], "labels": ["b": 2]], ["ports": [587, 25], "labels": ["a": 1]])
        #expect(answer.value == options { ($0.ports, $0.labels) = ([465], ["b": 2]) })
    }

    @Test func `a wrong element rejects its array or dictionary`() {
        let answer = answer(
            ["ports": [465, "x"], "labels": ["a": 1, "b": true]], ["ports": [587], "labels": ["c": 3]])
        #expect(answer.value == options { ($0.ports, $0.labels) = ([587], ["c": 3]) })
        #expect(
            Set(answer.rejections.map(\.description)) == [
                #"server.ports[1]: expected an integer, found the string "x""#,
                "server.labels.b: expected an integer, found the boolean true",
            ])
    }

    @Test func `an enum with payloads replaces as a whole`() {
        let answer = answer(["target": ["relay": ["host": "b"]]], ["target": ["local": [:]]])
        #expect(answer.value == options { $0.target = .relay(host: "b") })
        #expect(answer.rejections.isEmpty)
    }

    @Test func `an optional struct is merged, and rejected if a field is missing`() {
        #expect(
            answer(["backup": ["minimum": "1.3"]], ["backup": ["certificate": "/c"]]).value
                == options { $0.backup = ServerOptions.TLS(minimum: "1.3", certificate: "/c") })
        let broken = answer(["host": "a", "backup": ["certificate": "/c"]])
        #expect(broken.value == options { $0.host = "a" })
        #expect(
            broken.rejections.map(\.description) == [
                "server.backup.minimum: expected a value, found nothing"
            ])
    }

    @Test(arguments: ["off", 5, ["off"]] as [PrefsValue])
    func `a value that is no struct is rejected as a whole`(stored: PrefsValue) {
        let answer = answer(stored, ["host": "a"])
        #expect(answer.value == options { $0.host = "a" })
        #expect(answer.winner == 1)
        #expect(answer.rejections.map(\.key) == ["server"])
    }

    @Test func `a scalar in place of a struct field is rejected alone`() {
        let answer = answer(["tls": "off", "host": "a"], ["tls": ["minimum": "1.3"]])
        #expect(answer.value == options { ($0.host, $0.tls.minimum) = ("a", "1.3") })
        #expect(answer.rejections.map(\.key) == ["server.tls"])
    }

    @Test func `without an acceptable field the default is effective`() {
        let answer = answer(["host": 1])
        #expect(answer.value == ServerOptions())
        #expect(answer.winner == nil)
        #expect(answer.rejections.count == 1)
    }

    @Test func `validation rejects the topmost dictionary as a whole`() {
        let key = PersistentKey(
            "server", defaultValue: ServerOptions(), .validate { $0.host.isEmpty ? "expected a host" : nil })
        let answer = key.resolve(candidates: [
            PrefsCandidate(["host": ""]), PrefsCandidate(["timeout": "1m"]),
        ])
        #expect(answer.value == options { $0.timeout = .seconds(60) })
        #expect(answer.winner == 1)
        #expect(answer.rejections.map(\.code) == [.invalid])
    }

    @Test func `unknown fields are ignored, and merging can be switched off`() {
        #expect(answer(["hosst": 1, "host": "a"]).value == options { $0.host = "a" })
        let whole = PersistentKey<ServerOptions?>("server", .merge(.replacing))
        #expect(whole.resolve(candidates: [PrefsCandidate(["host": "a"])]).value == nil)
        let merged = PersistentKey<ServerOptions?>("server")
        #expect(merged.resolve(candidates: []).value == nil)
    }

    @Test func `the text of a variable is one layer`() {
        let text = PrefsCandidate(#"{"host": "a"}"#, isText: true)
        let answer = key.resolve(candidates: [text, PrefsCandidate(["timeout": "1m"])])
        #expect(answer.value == options { ($0.host, $0.timeout) = ("a", .seconds(60)) })
    }

    @Test func `a value that is no struct is rejected alone, not the fields above it`() {
        let answer = answer(["backup": ["minimum": "1.0"]], ["backup": "off", "tls": "off"], ["host": "a"])
        #expect(
            answer.value
                == options { ($0.backup, $0.host) = (ServerOptions.TLS(minimum: "1.0"), "a") })
        let other = self.answer(["tls": ["certificate": "/c"]], ["tls": "off", "host": "b"])
        #expect(
            other.value
                == options { ($0.tls, $0.host) = (ServerOptions.TLS(minimum: "1.2", certificate: "/c"), "b") }
        )
        #expect(
            other.rejections.map(\.description) == [
                #"server.tls: expected a dictionary, found the string "off""#
            ])
    }

    @Test func `the layer that makes a struct invalid is rejected, not one above it`() {
        let key = PersistentKey(
            "server", defaultValue: ServerOptions(),
            .validate { $0.timeout > .zero ? nil : "expected a positive timeout" })
        let layers: [PrefsValue] = [["host": "a"], ["timeout": "0s"], ["ports": [1]]]
        let answer = key.resolve(
            candidates: layers.enumerated().map { PrefsCandidate($1, origin: PrefsOrigin(layer: "\($0)")) })
        #expect(answer.value == options { ($0.host, $0.ports) = ("a", [1]) })
        #expect(answer.rejections.map(\.origin?.layer) == ["1"])
    }

    @Test func `variables set fields`() throws {
        let user = DictionaryPrefsStorage(values: ["server": ["host": "u", "tls": ["certificate": "/u"]]])
        let (diagnostics, reported, subscription) = Recorder<PrefsDiagnostic>.recording()
        let stack = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer(.user, user)
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_",
                    environment: [
                        "MYD_SERVER_TIMEOUT": "5s", "MYD_SERVER_TLS_MINIMUM": "1.3",
                        "MYD_SERVER_PORTS": "1,2",
                        "MYD_SERVER_HOSST": "x",
                    ]))
        }
        let prefs = ServerPrefs(stack)
        let expected = options {
            ($0.host, $0.timeout, $0.ports) = ("u", .seconds(5), [1, 2])
            $0.tls = ServerOptions.TLS(minimum: "1.3", certificate: "/u")
        }
        #expect(prefs.server == expected)
        #expect(stack.get(.server) == expected)
        #expect(stack.resolution(for: .server).origin?.layer == "environment")
        stack.reportUnknownKeys()
        #expect(reported.elements.map(\.error.key) == ["MYD_SERVER_HOSST"])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a variable whose text is no value of its field is rejected alone`() {
        let stack = PrefsStack {
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_", environment: ["MYD_SERVER_TIMEOUT": "soon", "MYD_SERVER_HOST": "e"]))
        }
        let resolution = stack.resolution(for: .server)
        #expect(resolution.value == options { $0.host = "e" })
        #expect(resolution.rejected.map(\.key) == ["server.timeout"])
    }

    @Test func `a declared variable is the prefix of its fields' variables`() {
        let key = PersistentKey("server", defaultValue: ServerOptions(), .environmentName("SRV"))
        let stack = PrefsStack {
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_", environment: ["SRV_TLS_MINIMUM": "1.3", "MYD_SERVER_HOST": "e"]))
        }
        #expect(stack.get(key) == options { $0.tls.minimum = "1.3" })
    }

    @Test func `a variable of another declared key is not a field's`() {
        let stack = PrefsStack {
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_", environment: ["MYD_SERVER_HOST": "e", "MYD_SERVER_TIMEOUT": "5s"]))
        }
        stack.declare(PersistentKey("serverHost", defaultValue: ""))
        #expect(stack.get(.server) == options { $0.timeout = .seconds(5) })
    }

    @Test func `a secret's fields are not quoted`() {
        let key = PersistentKey("server", defaultValue: ServerOptions(), .secret)
        let answer = key.resolve(candidates: [PrefsCandidate(["timeout": "soon"])])
        #expect(
            answer.rejections.first?.reason
                == #"expected a duration such as "30s" or "1h30m", found a string"#)
    }

    @Test func `locks hold for fields`() throws {
        let stack = try Stack(
            system: ["server": ["tls": ["minimum": "1.3"]]],
            user: ["server": ["tls": ["minimum": "1.0", "certificate": "/c"], "host": "a"]],
            locking: ["server.tls.minimum"])
        let value = stack.storage.get(.server)
        #expect(
            value == options { ($0.host, $0.tls) = ("a", .init(minimum: "1.3", certificate: "/c")) })
        #expect(stack.storage.resolution(for: .server).rejected.isEmpty)
    }

    @Test func `each wrong field is reported once, with its recovery`() throws {
        let stack = try Stack(user: ["server": ["timeout": "soon", "host": 1]])
        stack.storage.declare(.server)
        #expect(Set(stack.reported.elements.map(\.error.key)) == ["server.timeout", "server.host"])
        stack.user.update { $0["server"] = ["timeout": "soon", "host": "a"] }
        #expect(stack.reported.elements.count == 3)
        #expect(stack.reported.elements.last?.severity == .recovered)
        #expect(stack.reported.elements.last?.error.key == "server.host")
        #expect(stack.storage.get(.server) == options { $0.host = "a" })
    }

    @Test func `an observer is notified of a change of any field in any layer`() async throws {
        let stack = try Stack(user: ["server": ["host": "a"]])
        let changes = Recorder<ServerOptions>()
        changes.keep(stack.storage.observe(.server) { changes.record($0.new.value) })
        stack.system.update { $0["server"] = ["timeout": "1m", "host": "b"] }
        let received = try await changes.wait { !$0.isEmpty }
        #expect(received == [options { ($0.host, $0.timeout) = ("a", .seconds(60)) }])
    }

    @Test func `a schema merges fields`() throws {
        let stack = try Stack(
            system: ["server": ["timeout": "1m"]], user: ["server": ["host": "a", "ports": "x"]])
        let prefs = ServerPrefs(stack.storage)
        #expect(prefs.server == options { ($0.host, $0.timeout) = ("a", .seconds(60)) })
        stack.user.update { $0["server"] = ["host": "b"] }
        #expect(prefs.server.host == "b")
    }

    @Test func `an error names the line of the field`() throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(
            """
            {
              "server": {
                "host": "a",
                "ports": [25,
                  "x"],
                "timeout": "soon"
              }
            }
            """, to: sandbox.root + "/prefs.json")
        let storage = FilePrefsStorage(path: sandbox.root + "/prefs.json")
        let answer = key.resolve(candidates: storage.snapshot.candidates(for: key.name))
        #expect(
            Dictionary(
                uniqueKeysWithValues: answer.rejections.map { ($0.key, $0.origin?.position) })
                == [
                    "server.ports[1]": .line(5, column: 7), "server.timeout": .line(6, column: 5),
                ])
    }
}
