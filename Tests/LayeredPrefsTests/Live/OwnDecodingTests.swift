import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// A section that makes its own defaults, and checks the fields that are set together.
private struct Download: Codable, Sendable, Equatable {
    static let defaultURL = "https://example.com/relay.tar"

    var url = Self.defaultURL
    var checksum = "abc"
    var retries = 3

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        url = try fields.decodeIfPresent(String.self, forKey: .url) ?? Self.defaultURL
        checksum = try fields.decodeIfPresent(String.self, forKey: .checksum) ?? "abc"
        retries = try fields.decodeIfPresent(Int.self, forKey: .retries) ?? 3
        if url != Self.defaultURL, !fields.contains(.checksum) {
            throw DecodingError.dataCorruptedError(
                forKey: .checksum, in: fields, debugDescription: "another URL needs its own checksum")
        }
    }
}

private struct Listener: Codable, Sendable, Equatable {
    var host = "::"
    @Setting(in: 1...65535) var port = 8080
}

/// A configuration that makes its own defaults, with sections of both kinds.
private struct Relay: Codable, Sendable, Equatable {
    var limit = 512
    var download = Download()
    var listen = Listener()
    /// The fields that the type was decoded from.
    var seen: [String]? { decoded.isEmpty ? nil : decoded }
    private var decoded: [String] = []

    init(limit: Int = 512) { self.limit = limit }

    private enum CodingKeys: CodingKey { case limit, download, listen }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        limit = try fields.decodeIfPresent(Int.self, forKey: .limit) ?? 512
        download = try fields.decodeIfPresent(Download.self, forKey: .download) ?? Download()
        listen = try fields.decodeIfPresent(Listener.self, forKey: .listen) ?? Listener()
        decoded = [CodingKeys.limit, .download, .listen].filter(fields.contains).map(\.stringValue)
    }
}

/// A configuration with the synthesized decoding.
private struct Plain: Codable, Sendable, Equatable {
    var name = "a"
    @Setting var note: String? = "none"
    var download = Download()
}

/// Types whose own `init(from:)` treats an absent field differently from a field that is set.
@Suite struct OwnDecodingTests: StackSuite {
    let fixture: StackFixture

    init() throws { fixture = try StackFixture { "\($0)" } }

    private var file: String { folder["relay.toml"] }

    private func stack(locked keys: [String] = [], vendor: [String: PrefsValue] = [:]) -> PrefsStack {
        stack(of: PrefsLayer(.defaults, DictionaryPrefsStorage(values: vendor), locking: keys), layer())
    }

    @Test(arguments: [
        ("", []), ("limit = 3\n", ["limit"]), ("listen.port = 1\n", ["listen"]),
        ("limit = 512\ndownload.retries = 3\n", ["limit", "download"]),
    ])
    func `a type that makes its own defaults gets what the layers set`(text: String, seen: [String]) throws {
        try write(text)
        let relay = try Live(Relay(), stack()).current
        #expect(relay.seen ?? [] == seen)
        #expect(relay.listen.host == "::" && relay.download == Download())
    }

    @Test func `a check of such a type holds at the start, for edits and for updates`() async throws {
        try write("download.url = \"https://mirror.example\"\n")
        let problem =
            "system \(file):1:10: download.checksum: expected a valid value"
            + " (another URL needs its own checksum)"
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), stack()) }
        #expect(error.map { "\($0)" } == problem)
        #expect(Live.problems(of: Plain(), stack()).map { "\($0)" } == [problem])

        try write("download.url = \"https://mirror.example\"\ndownload.checksum = \"abc\"\n")
        let storage = stack()
        let relay = try Live(Relay(), storage)
        #expect(relay.current.download.url == "https://mirror.example")
        try write("download.url = \"https://mirror.example\"\n")
        await storage.reloadAndSettle()
        #expect(reports.elements == ["error: \(problem); keeping the previous version"])
        #expect(relay.current.download.url == "https://mirror.example")

        try write("limit = 1\n")
        await storage.reloadAndSettle()
        await #expect(throws: PrefsError.self) { try await relay.update { $0.download.url = "https://b" } }
        try await relay.update { $0.limit = 2 }
        try await relay.update { ($0.download.url, $0.download.checksum) = ("https://b", "def") }
        #expect(relay.current.download.checksum == "def" && relay.current.limit == 2)
        try await relay.update { $0.limit = 512 }
        #expect(try String(decoding: folder.read("relay.toml"), as: UTF8.self).contains("limit = 512"))
    }

    @Test func `a default that such a type does not make itself stays below the layers`() throws {
        struct Optional: Codable, Sendable { var x: Int? = 5 }
        try write("listen.port = 1\n")
        let relay = try Live(Relay(limit: 5), stack()).current
        #expect(relay.limit == 5 && relay.seen == ["limit", "download", "listen"])
        #expect(try Live(Optional(), stack()).current.x == 5)
    }

    @Test func `a synthesized type keeps its defaults, and its sections are decoded by themselves`() throws {
        try write("download.retries = 7\n")
        let plain = try Live(Plain(), stack()).current
        #expect(plain.name == "a" && plain.note == "none")
        #expect(plain.download.retries == 7 && plain.download.url == Download.defaultURL)
        try write("download.url = \"https://mirror.example\"\n")
        #expect(throws: PrefsError.self) { _ = try Live(Plain(), stack()) }
    }

    @Test func `fields, locks and explanations stay those of each field`() throws {
        try write("download = { url = \"https://mirror.example\", checksum = \"def\" }\nlimit = 7\n")
        let storage = stack(locked: ["limit", "download.url"], vendor: ["limit": 9])
        let relay = try Live(Relay(), storage)
        #expect(relay.current.limit == 9)
        #expect(relay.current.download.url == Download.defaultURL)
        #expect(relay.current.download.checksum == "def")
        let description = try #require(relay.keys.first { $0.name == "download.retries" })
        #expect(description.defaultValue == 3)
        #expect(storage.snapshot.explanation(for: description).description.contains("3"))
    }

    @Test func `a field that needs a restart is absent until then, if it was absent at the start`()
        async throws
    {
        let storage = stack()
        var restart = FieldOptions()
        restart.needsRestart = true
        let relay = try Live(Relay(), storage, fields: ["limit": restart])
        try write("limit = 3\n")
        await storage.reloadAndSettle()
        #expect(relay.current.limit == 512 && relay.current.seen == nil)
        #expect(relay.waitingForRestart == ["limit"])
        try write("limit = 512\n")
        await storage.reloadAndSettle()
        #expect(relay.waitingForRestart == [])
    }
}

/// Rules that ask which fields are set.
@Suite struct SetFieldTests {
    private struct Proxy: Codable, Sendable {
        var url = "https://example.com"
        var checksum = "abc"
        var routes: [String: String] = ["a": "/"]
        var listen = Listener()

        static let asked = ["url", "checksum", "listen", "listen.port", "routes", "routes.b", "unknown"]

        static func set() -> [String] { asked.filter { Live<Proxy>.isSet($0) } }

        @Sendable static func rule(_ proxy: Proxy) throws {
            if Live<Proxy>.isSet("url"), !Live<Proxy>.isSet("checksum") {
                throw PrefsError(.missing, key: "url", reason: "needs a checksum")
            }
        }
    }

    private func stack(_ values: [String: PrefsValue]) -> PrefsStack {
        PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(.user, DictionaryPrefsStorage(values: values))
        }
    }

    @Test(
        arguments: [
            ([:], []), (["url": "https://example.com"], ["url"]),
            (["listen": ["port": 8080]], ["listen", "listen.port"]),
            (["routes": ["b": "/"]], ["routes", "routes.b"]), (["routes": [:], "unknown": 1], ["routes"]),
        ] as [([String: PrefsValue], [String])])
    func `a rule knows the fields that a layer sets`(values: [String: PrefsValue], set: [String]) throws {
        let found = Recorder<[String]>()
        let inner = stack(["proxy": .dictionary(values)])
        _ = try Live(Proxy(), stack(values)) { _ in found.record(Proxy.set()) }
        _ = try Live(Proxy(), inner, at: "proxy") { _ in found.record(Proxy.set()) }
        #expect(!found.elements.isEmpty && found.elements.allSatisfy { $0 == set })
        #expect(Proxy.set() == [])
    }

    @Test func `such a rule holds for edits, writes, updates and checks`() async throws {
        let storage = stack([:])
        let proxy = try Live(Proxy(), storage, rule: Proxy.rule)
        #expect(throws: PrefsError.self) { try storage.setValue("https://example.com", forKey: "url") }
        await #expect(throws: PrefsError.self) { try await proxy.update { $0.url = "https://b" } }
        try await proxy.update { ($0.url, $0.checksum) = ("https://b", "def") }
        #expect(proxy.current.url == "https://b")
        #expect(throws: PrefsError.self) { try storage.removeValue(forKey: "checksum") }
        #expect(
            Live.problems(of: Proxy(), stack(["url": "b"]), rule: Proxy.rule).map(\.reason) == [
                "rejected by a rule of the program: needs a checksum"
            ])
    }
}
