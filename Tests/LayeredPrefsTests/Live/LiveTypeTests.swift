import Foundation
import LayeredPrefsReference
import LayeredPrefsTesting
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable, Equatable {
    var listen = Listener()
    @Setting("Connections to accept", in: 1...10_000) var limit = 512
    @Setting(secret: true) var token = "none"
    var upstreams: [Backend] = []
    var tls: TLS? = nil
}

private struct Listener: Codable, Sendable, Equatable {
    var host = "::"
    @Setting("Port", in: 1...65535) var port = 8080
}

private struct Backend: PrefsSection, Sendable, Equatable {
    @Setting("Name or address", required: true) var host = ""
    @Setting(in: 1...10) var weight = 1
    @Setting(in: .seconds(1)...) var timeout = Duration.seconds(30)
}

private struct TLS: PrefsSection, Sendable, Equatable {
    @Setting(required: true) var certificate = ""
    @Setting(secret: true) var key = ""
    var minimum = 1.2
}

/// The types that a configuration may have, and the errors for others.
@Suite struct LiveTypeTests {
    private let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) { PrefsLayer.overrides }

    private func reason(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch {
            return (error as? PrefsError)?.reason ?? "\(error)"
        }
    }

    @Test func `a tag that a value repeats is no error`() throws {
        struct Circle: Codable, Sendable {
            var type = "circle"
            var radius = 1
        }
        struct Shape: Codable, Sendable {
            var circle = Circle()
            init() {}
            init(from decoder: any Decoder) throws { circle = try Circle(from: decoder) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode("circle", forKey: .type)
                try circle.encode(to: encoder)
            }
            enum Keys: String, CodingKey { case type }
        }
        #expect(try Live(Shape(), storage).current.circle.radius == 1)
    }

    @Test func `two fields of one coding key are an error`() {
        struct Twice: Codable, Sendable {
            var port = 1
            var limit = 2
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(port, forKey: .port)
                try container.encode(limit, forKey: .port)
            }
            enum Keys: String, CodingKey { case port }
        }
        #expect(
            reason { _ = try Live(Twice(), storage) }
                == "the default of Twice.port has no stored form: two fields have this coding key")
    }

    @Test func `a default that does not encode is an error`() {
        struct Odd: Codable, Sendable { var wait = Duration.seconds(-1) }
        #expect(
            reason { _ = try Live(Odd(), storage) }
                == "the default of Odd.wait has no stored form: a duration is not negative")
    }

    @Test func `payloads, nested optionals and dictionaries are as their types say`() throws {
        enum Target: Codable, Sendable, Equatable {
            case file(path: String)
            case syslog(String, level: Int)
        }
        struct Logging: Codable, Sendable {
            var target = Target.file(path: "/x")
            var depth: Int?? = nil
            var groups: [String: [Int]] = ["a": [1]]
        }
        let logging = try Live(Logging(), storage)
        #expect(logging.current.target == .file(path: "/x") && logging.current.depth == Int??.none)
        let target: PrefsValue = ["syslog": ["_0": "local0", "level": 2]]
        try storage.setValue(target, forKey: "target", in: .overrides)
        try storage.setValue(5, forKey: "depth", in: .overrides)
        try storage.setValue(["b": [2, 3]], forKey: "groups", in: .overrides)
        #expect(logging.current.target == .syslog("local0", level: 2))
        #expect(logging.current.depth == 5 && logging.current.groups == ["b": [2, 3]])
        #expect(throws: PrefsError.self) {
            try storage.setValue(["syslog": ["_0": "local0"]], forKey: "target", in: .overrides)
        }
    }

    @Test func `a value that is no struct is an error`() {
        #expect(
            reason { _ = try Live(5, storage) }
                == "Int cannot be a configuration: it is not stored as a dictionary of fields; use a struct")
    }

    @Test func `an update of a class changes a copy`() async throws {
        final class Box: Codable, @unchecked Sendable { var limit = 1 }
        let live = try Live(
            Box(),
            PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
                PrefsLayer(.user, DictionaryPrefsStorage())
            })
        let before = live.current
        try await live.update { $0.limit = 2 }
        #expect(before.limit == 1 && live.current.limit == 2)
    }

    @Test func `a required field of an element has to be set`() throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["upstreams": [["weight": 2]]]))
        }
        #expect(
            reason { _ = try Live(Relay(), storage) }
                == "expected a value (it is required), found nothing")
    }

    @Test func `a field of a section that is nil is required when the section is set`() throws {
        let absent = try Live(Relay(), storage)
        #expect(absent.current.tls == nil)
        let present = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["tls.key": "k"]))
        }
        #expect(reason { _ = try Live(Relay(), present) }.hasPrefix("a value is required"))
    }

    /// An empty table is the section with its defaults.
    @Test(arguments: [["tls": [:]], ["tls": ["unknown": 1]]] as [[String: PrefsValue]])
    func `a section whose table sets nothing requires its fields`(content: [String: PrefsValue]) throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: content))
        }
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage) }
        #expect(error?.problems.map(\.key) == ["tls.certificate"])
    }

    @Test func `a section whose table is empty has its defaults, until the table is gone`() async throws {
        struct Log: PrefsSection, Sendable, Equatable { var level = 3 }
        struct Service: Codable, Sendable { var log: Log? = nil }
        let folder = try TemporaryFolder()
        let path = try folder.write("other = 1\n[log]\n", to: "service.toml")
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.user, FilePrefsStorage(path: path))
        }
        let live = try Live(Service(), storage)
        #expect(live.current.log == Log())
        try await live.update { $0.log = nil }
        #expect(live.current.log == nil)
        try await live.update { $0.log = Log(level: 5) }
        #expect(live.current.log == Log(level: 5))
        try await live.update { $0.log = nil }
        #expect(live.current.log == nil && storage.snapshot.keys == ["other"])
        _ = try storage.setValue([:], forKey: "log")
        #expect(live.current.log == Log())
    }

    @Test func `the first wrong field of each element is a problem`() throws {
        let upstreams: PrefsValue = [
            ["host": 7, "weight": 0, "timeout": "0s"], ["host": "a"], ["weight": "many"],
        ]
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["upstreams": upstreams, "limit": 0]))
        }
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage) }
        #expect(
            error?.problems.map { "\($0.key ?? ""): \($0.reason)" } == [
                "limit: expected 1...10000, found the integer 0",
                "upstreams[0].host: expected a string, found the integer 7",
                "upstreams[2].host: expected a value (it is required), found nothing",
            ])
    }

    @Test func `wrong fields of plain structs, dictionaries and arrays within arrays`() throws {
        struct Plain: Codable, Sendable { var name: String, size: Int }
        struct Inner: PrefsSection, Sendable {
            @Setting(in: 1...9) var a = 1
            @Setting(in: 1...9) var b = 1
        }
        struct Outer: PrefsSection, Sendable {
            var inner: [Inner] = []
            var tags: [String] = []
        }
        struct Whole: Codable, Sendable {
            var plain: [Plain] = []
            var named: [String: Inner] = [:]
            var outer: [Outer] = []
        }
        let content: [String: PrefsValue] = [
            "plain": [["name": 1, "size": "x"], ["name": "a", "size": 1]],
            "named": ["x": ["a": 0, "b": 0], "y": ["a": 1], "z": ["b": 0]],
            "outer": [["inner": [["a": 0, "b": 0], ["b": 0]], "tags": [1]]],
        ]
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: content))
        }
        let error = #expect(throws: PrefsError.self) { _ = try Live(Whole(), storage) }
        #expect(
            error?.problems.compactMap(\.key).sorted() == [
                "named.x.a", "named.z.b", "outer[0].inner[0].a", "plain[0].name",
            ])
    }

    @Test func `no more than twenty wrong elements of an array are listed`() throws {
        let upstreams = PrefsValue.array((0..<1000).map { _ in ["weight": 0] })
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["upstreams": upstreams]))
        }
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage) }
        #expect(error?.problems.count == PrefsLimits.reports)
    }

    @Test func `a validation is described by its own words`() throws {
        struct Checked: Codable, Sendable {
            @Setting(in: 1...9) var limited = 1
            @Setting(
                in: 1...9, condition: "an odd number", validate: { $0 % 2 == 1 ? nil : "expected an odd one" }
            )
            var odd = 1
            @Setting(validate: { $0.isEmpty ? "expected some text" : nil }) var text = "x"
        }
        let keys = try Live(Checked(), PrefsStack { PrefsLayer.overrides }).keys
        #expect(
            keys.map(\.validation) == [
                nil, "the program also requires an odd number", "the program also checks the value",
            ])
        let schema = try Live.reference(of: Checked()).jsonSchema
        #expect(schema.contains(#""condition": "the program also requires an odd number""#))
    }

    @Test func `a type that contains itself ends`() throws {
        struct Node: PrefsSection, Sendable {
            @Setting("Name") var name = "n"
            var children: [Node] = []
        }
        let stored: PrefsValue = [["name": "a", "children": [["name": "b"]]]]
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["children": stored]))
        }
        let live = try Live(Node(), storage)
        #expect(live.current.children[0].children[0].name == "b")
        #expect(try Live<Node>.reference(of: Node()).jsonSchema.contains("children"))
    }

    @Test func `an array of a hundred thousand elements`() throws {
        let stored = PrefsValue.array((0..<100_000).map { ["host": .string("h\($0)")] })
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["upstreams": stored]))
        }
        let upstreams = try Live(Relay(), storage).current.upstreams
        #expect(upstreams.count == 100_000)
        #expect(upstreams[99_999] == Backend(host: "h99999"))
    }

    @Test func `a field that was renamed is read under its former name, and a changed type is an error`()
        throws
    {
        struct Newer: Codable, Sendable {
            @Setting(formerly: ["limit"]) var connections = 1
            var token = 5
        }
        func storage(_ content: [String: PrefsValue]) -> PrefsStack {
            PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
                PrefsLayer(.system, DictionaryPrefsStorage(values: content))
            }
        }
        #expect(try Live(Newer(), storage(["limit": 7])).current.connections == 7)
        #expect(
            reason { _ = try Live(Newer(), storage(["token": "five"])) }
                == "expected an integer, found the string “five”"
                || reason { _ = try Live(Newer(), storage(["token": "five"])) }
                    == #"expected an integer, found the string "five""#
        )
    }

    @Test func `a type that reads all keys has no fields, and is rejected`() throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Open: Codable, Sendable {
            var known = 1
            var others: [String: Int] = [:]
            init() {}
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                known = try container.decode(Int.self, forKey: Key(stringValue: "known"))
                for key in container.allKeys where key.stringValue != "known" {
                    others[key.stringValue] = try container.decode(Int.self, forKey: key)
                }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(known, forKey: Key(stringValue: "known"))
            }
        }
        struct Around: Codable, Sendable { var open = Open() }
        for found in [
            reason { _ = try Live(Open(), storage) }, reason { _ = try Live(["known": 1], storage) },
        ] {
            #expect(found.contains("cannot be a configuration: it decodes any keys"))
        }
        try storage.setValue(["known": 2, "other": 3], forKey: "open", in: .overrides)
        let open = try Live(Around(), storage).current.open
        #expect(open.known == 2 && open.others == ["other": 3])
    }

    @Test func `an optional whose default is not nil is a warning`() throws {
        struct Odd: Codable, Sendable {
            var host: String? = "a"
            var port: Int? = nil
            @Setting("Name") var name: String? = "b"
        }
        let reports = Recorder<String>()
        let storage = PrefsStack(
            diagnostics: PrefsDiagnosticHandler { reports.record("\($0.severity): \($0.error.key ?? "-")") }
        ) { PrefsLayer.overrides }
        let live = try Live(Odd(), storage)
        #expect(live.current.host == "a")
        #expect(reports.elements == ["warning: host", "warning: name"])
    }
}

/// The documents that a package ships about a configuration.
@Suite struct LiveReferenceTests {
    private let reference: PrefsReference

    init() throws { reference = try Live.reference(of: Relay(), environmentPrefix: "RELAY_") }

    @Test func `the sample in TOML changes nothing, and each line means the same by itself`() throws {
        #expect(
            reference.sampleTOML == """
                # Type: string.
                # Environment: RELAY_LISTEN_HOST.
                #listen.host = "::"

                # Port
                # Type: integer. Allowed: 1...65535.
                # Environment: RELAY_LISTEN_PORT.
                #listen.port = 8080

                # Connections to accept
                # Type: integer. Allowed: 1...10000.
                # Environment: RELAY_LIMIT.
                #limit = 512

                # Type: string.
                # Environment: RELAY_TOKEN.
                # Secret.
                #token = ""

                # Type: array of {host: string, weight?: integer, timeout?: duration}.
                # - host: Name or address.
                # - weight: Allowed: 1...10
                # - timeout: Allowed: 1s...
                # Environment: RELAY_UPSTREAMS.
                #upstreams = []

                # Type: string.
                # Environment: RELAY_TLS_CERTIFICATE.
                # There is no tls unless one of its keys is set. Then required.
                #tls.certificate = ""

                # Type: string.
                # Environment: RELAY_TLS_KEY.
                # There is no tls unless one of its keys is set.
                # Secret.
                #tls.key = ""

                # Type: real.
                # Environment: RELAY_TLS_MINIMUM.
                # There is no tls unless one of its keys is set.
                #tls.minimum = 1.2

                """)
        for line in reference.sampleTOML.split(separator: "\n") where !line.hasPrefix("# ") {
            let document = try PrefsDocument(parsing: Array(line.dropFirst().utf8), as: .toml)
            #expect(document.root.value.dictionary?.count == 1)
        }
    }

    @Test func `every line of a sample is right when it is no comment any more`() throws {
        struct Strict: Codable, Sendable {
            enum Mode: String, Codable, CaseIterable { case fast, slow }
            var address: URL?
            var id: UUID?
            var mode: Mode?
            @Setting(in: 5...9) var size: Int?
            @Setting(in: .seconds(5)...) var timeout: Duration?
            @Setting(secret: true, validate: { $0.count < 8 ? "expected eight letters" : nil }) var token =
                "12345678"
            var odd: Odd?
        }
        struct Odd: Codable, Sendable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                if !text.hasPrefix("odd-") { throw PrefsError(.invalid, reason: "no odd text") }
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("odd-")
            }
        }
        let sample = try Live.reference(of: Strict()).sampleTOML
        #expect(!sample.contains("12345678"))
        #expect(sample.contains("# No example is known for odd.\n"))
        let lines = sample.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { $0.dropFirst() }
        #expect(lines.count == 6)
        let values = try PrefsDocument(parsing: Array(lines.joined(separator: "\n").utf8), as: .toml).content
        #expect(Live.problems(of: Strict(), PrefsStack { PrefsLayer.defaults(values) }) == [])
    }

    @Test func `a sample names only variables that are known, and nothing of this machine`() throws {
        struct Local: Codable, Sendable {
            var cache = "\(NSHomeDirectory())/.cache"
            var folders = ["\(FileManager.default.currentDirectoryPath)/data"]
            var host = ProcessInfo.processInfo.hostName
            @Setting(environmentName: "LOCAL_PORT") var port = 80
        }
        let sample = try Live.reference(of: Local()).sampleTOML
        let plist = PrefsReference(
            try Live.reference(of: Local()).keys, title: "local", environmentPrefix: ""
        ).samplePropertyList
        for text in [sample, plist] {
            #expect(!text.contains(NSHomeDirectory()))
            #expect(!text.contains(FileManager.default.currentDirectoryPath))
            let isNamed = ProcessInfo.processInfo.hostName != "localhost"
            let machine = text.components(separatedBy: "The default depends on the machine.")
            #expect(machine.count == (isNamed ? 4 : 3))
            #expect(text.components(separatedBy: "Environment:").count == 2)
            #expect(text.contains("Environment: LOCAL_PORT."))
        }
    }

    @Test func `the sample documents the fields of elements`() throws {
        struct Upstream: PrefsSection, Sendable {
            @Setting("Share of the requests.", in: 1...100) var weight = 1
            var host = ""
        }
        struct Pool: Codable, Sendable { var upstreams = [Upstream()] }
        let sample = try Live.reference(of: Pool()).sampleTOML
        #expect(sample.contains("\n# - weight: Share of the requests. Allowed: 1...100\n"), "\(sample)")
        #expect(!sample.contains("- host"))
    }

    @Test(arguments: [
        "64", "64 KiB", "64KB", "1.5 GiB", "7b", "64K", "64 Ki", "5 x", "", "KiB", "-1", "1. B",
    ])
    func `the schema accepts the sizes that the program does`(text: String) throws {
        struct Body: Codable, Sendable { var limit = PrefsByteCount.kibibytes(64) }
        let schema =
            try JSONSerialization.jsonObject(
                with: Data(Live.reference(of: Body()).jsonSchema.utf8)) as? [String: Any]
        let limit = (schema?["properties"] as? [String: Any])?["limit"] as? [String: Any]
        let pattern = try Regex(#require(limit?["pattern"] as? String))
        #expect((text.wholeMatch(of: pattern) != nil) == (PrefsByteCount(text) != nil))
    }

    private struct Server: Codable, Sendable {
        struct Listener: Codable, Sendable {
            @Setting(in: 1...65535, formerly: ["number", "level"]) var port = 80
        }
        var listen = Listener()
        var level = 1
    }

    @Test func `the JSON Schema allows no other keys, however they are spelled`() throws {
        func schema(_ path: String = "") throws -> PrefsValue {
            let text = try Live.reference(of: Server(), at: path).jsonSchema
            return try PrefsDocument(parsing: Array(text.utf8), as: .json).root.value
        }
        let root = try schema()
        func part(_ path: String...) -> PrefsValue? { root.value(at: path[...]) }
        #expect(part("additionalProperties") == false)
        #expect(part("properties", "listen", "additionalProperties") == false)
        #expect(part("patternProperties") == [#"^(listen)\."#: [:]])
        #expect(part("properties", "listen", "properties", "number", "maximum") == 65535)
        #expect(part("properties", "listen", "properties", "number", "deprecated") == true)
        #expect(
            part("properties", "listen", "properties", "number", "x-prefs", "renamed") == "listen.port")
        #expect(part("properties", "level", "deprecated") == nil)

        let plugin = try schema("plugin.foo")
        #expect(plugin.value(at: ["additionalProperties"]) == nil)
        #expect(plugin.value(at: ["properties", "plugin", "additionalProperties"]) == nil)
        let foo = plugin.value(at: ["properties", "plugin", "properties", "foo"])
        #expect(foo?.value(at: ["additionalProperties"]) == false)
    }

    @Test func `the JSON Schema has sections, elements, ranges and what is required`() throws {
        let root = try PrefsDocument(parsing: Array(reference.jsonSchema.utf8), as: .json).root.value
        func part(_ path: String...) -> PrefsValue? { root.value(at: path[...]) }
        #expect(part("title") == "Relay")
        #expect(part("properties", "listen", "properties", "port", "maximum") == 65535)
        #expect(part("properties", "limit", "description") == "Connections to accept")
        #expect(part("properties", "token", "writeOnly") == true)
        #expect(part("properties", "token", "default") == nil)
        #expect(part("properties", "tls", "properties", "certificate", "x-prefs", "required") == true)
        #expect(part("properties", "tls", "properties", "certificate", "x-prefs", "section") == "tls")
        #expect(part("properties", "upstreams", "items", "additionalProperties") == false)
        #expect(part("properties", "upstreams", "items", "required") == ["host"])
        func field(_ path: String...) -> PrefsValue? {
            root.value(at: (["properties", "upstreams", "items", "properties"] + path)[...])
        }
        #expect(field("host", "description") == "Name or address")
        #expect(field("weight", "type") == "integer")
        #expect(field("weight", "minimum") == 1 && field("weight", "maximum") == 10)
        #expect(field("timeout", "x-prefs", "type") == "duration")
        #expect(field("timeout", "x-prefs", "minimum") == "1s" && field("timeout", "minimum") == nil)
        #expect(
            part("properties", "listen", "properties", "port", "x-prefs", "environment")
                == "RELAY_LISTEN_PORT")
    }

    @Test func `the manual and the flags list every field`() {
        #expect(reference.markdown.contains("## `listen.port`\n\nPort\n\n- Type: integer\n- Default: `8080`"))
        #expect(reference.flagsHelp.contains("  --listen-port <integer>\n      Port. Allowed: 1...65535."))
    }

    @Test func `a live configuration describes its fields`() throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) { PrefsLayer.overrides }
        let live = try Live(Relay(), storage, at: "plugin.relay")
        #expect(
            live.keys.map(\.name) == [
                "plugin.relay.listen.host", "plugin.relay.listen.port", "plugin.relay.limit",
                "plugin.relay.token", "plugin.relay.upstreams", "plugin.relay.tls.certificate",
                "plugin.relay.tls.key", "plugin.relay.tls.minimum",
            ])
    }

    @Test func `a field of a section that exists has the section's default`() throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: ["tls.certificate": "c"]))
        }
        func minimum(_ storage: PrefsStack) throws -> (PrefsValue?, PrefsValue?) {
            let live = try Live(Relay(), storage)
            let key = try #require(live.keys.first { $0.name == "tls.minimum" })
            let snapshot = storage.snapshot
            return (key.value(in: snapshot), snapshot.explanation(for: key).defaultValue)
        }
        #expect(try minimum(storage) == (1.2, 1.2))
        let absent = PrefsStack(diagnostics: PrefsDiagnosticHandler()) { PrefsLayer.overrides }
        #expect(try minimum(absent) == (nil, nil))
    }
}
