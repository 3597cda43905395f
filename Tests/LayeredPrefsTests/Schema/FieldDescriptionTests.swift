import LayeredPrefsReference
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

private enum Level: String, Codable, CaseIterable, Sendable { case low, high }

private struct RelayOptions: Codable, Equatable, Sendable {
    struct TLS: Codable, Equatable, Sendable {
        var minimum = "1.2"
        var certificate: String?
    }

    var host = "::"
    var port: UInt16 = 25
    var timeout = Duration.seconds(30)
    var size = PrefsByteCount.kibibytes(64)
    var level = Level.low
    var tls = TLS()
    var routes: [TLS] = []
    var labels = ["a": 1]
    var weight: Double?
}

@PrefsSchema private final class RelayPrefs {
    @Storage var storage: PrefsStack

    /// The mail relay.
    @Pref(formerly: "server") var relay: RelayOptions = RelayOptions()
    @Pref var name: String = ""

    init(_ storage: PrefsStack) { self.storage = storage }
}

@PrefsSchema private final class SecretRelayPrefs {
    @Storage var storage = .dictionary

    @Pref(secret: true) var relay: RelayOptions = RelayOptions(host: "hidden")
}

private struct WindowOptions: Codable, Sendable {
    struct Frame: Codable, Sendable {
        @Setting("The width in columns") var width = 80
        var height = 24
    }

    @Setting("What is shown in the title bar") var title: String?
    var frame = Frame()
}

@PrefsSchema private final class WindowPrefs {
    @Storage var storage = .dictionary

    /// The window.
    @Pref var window: WindowOptions = WindowOptions()
    @PrefGroup var other: OtherWindowPrefs
}

@PrefsGroup private final class OtherWindowPrefs {
    @Pref var window: WindowOptions = WindowOptions()
}

@Suite struct FieldDescriptionTests {
    @Test func `the fields of a struct have documentation of their own`() throws {
        let fields = WindowPrefs.keys.flatMap(\.fields)
        let documented = Dictionary(fields.map { ($0.name, $0.documentation) }) { first, _ in first }
        for key in ["window", "other.window"] {
            #expect(documented["\(key).frame.width"] == "The width in columns")
            #expect(documented["\(key).frame.height"] == .some(nil))
            #expect(documented["\(key).title"] == "What is shown in the title bar")
        }
        #expect(fields.first { $0.name == "window.frame.width" }?.storedType == .integer)

        #expect(
            WindowPrefs.reference.contains(
                "## `window.frame.width`\n\nThe width in columns\n\n- Type: integer"))
        let help = WindowPrefs.flagsHelp
        #expect(help.contains("The width in columns."), "\(help)")
        #expect(help.contains("The window."), "\(help)")
        let schema = try PrefsDocument(parsing: Array(WindowPrefs.jsonSchema.utf8), as: .json).root
        let properties = schema["properties"]?["window"]?["properties"]
        #expect(properties?["title"]?["description"]?.value == "What is shown in the title bar")
        let width = properties?["frame"]?["properties"]?["width"]
        #expect(width?["description"]?.value == "The width in columns")
        #expect(WindowPrefs.samplePropertyList.contains("The width in columns"))
    }

    @Test func `a struct with documentation is read and written per field`() throws {
        let prefs = WindowPrefs()
        prefs.window.frame.width = 100
        #expect(prefs.window.frame.width == 100)
        #expect(prefs.window.frame.height == 24)
    }

    private var relay: PrefsKeyDescription? { RelayPrefs.keys.first }

    @Test func `a struct is described by its fields`() {
        let fields = relay?.fields ?? []
        #expect(
            fields.map(\.name) == [
                "relay.host", "relay.port", "relay.timeout", "relay.size", "relay.level", "relay.tls.minimum",
                "relay.tls.certificate", "relay.routes", "relay.labels", "relay.weight",
            ])
        #expect(
            fields.map(\.storedType) == [
                .string, .integer, .duration, .byteCount, .string, .string, .string,
                .array(
                    of: .structure(
                        fields: [
                            PrefsStoredType.Field(name: "minimum", type: .string, isRequired: true),
                            PrefsStoredType.Field(name: "certificate", type: .string, isRequired: false),
                        ], isComplete: true)),
                .dictionary(of: .integer), .real,
            ])
        #expect(fields.first { $0.name == "relay.level" }?.limits.values == ["low", "high"])
        #expect(fields.first { $0.name == "relay.timeout" }?.defaultValue == "30s")
        #expect(fields.first?.formerNames == ["server.host"])
        #expect(
            fields.first { $0.name == "relay.tls.minimum" }?.environmentName(prefix: "MYD_")
                == "MYD_RELAY_TLS_MINIMUM")
        #expect(RelayPrefs.keys.last?.fields.isEmpty == true)
    }

    @Test func `a field accepts what the struct accepts`() {
        let timeout = relay?.fields.first { $0.name == "relay.timeout" }
        #expect(timeout?.rejection(of: PrefsCandidate("1m")) == nil)
        #expect(
            timeout?.rejection(of: PrefsCandidate("soon"))?.description
                == #"relay.timeout: expected a duration such as "30s" or "1h30m", found the string "soon""#)
    }

    @Test func `generated documents reach the fields`() throws {
        #expect(RelayPrefs.reference.contains("## `relay`\n\nThe mail relay.\n\n- Type: structure"))
        #expect(
            RelayPrefs.reference.contains("## `relay.tls.minimum`\n\n- Type: string\n- Default: `\"1.2\"`\n"))
        let sample = RelayPrefs.samplePropertyList
        #expect(sample.contains("<key>minimum</key>"))
        #expect(try PrefsDocument(parsing: Array(sample.utf8)).content["name"] == nil)
        let schema = try PrefsDocument(parsing: Array(RelayPrefs.jsonSchema.utf8), as: .json).root
        let fields = schema["properties"]?["relay"]?["properties"]
        #expect(fields?["tls"]?["properties"]?["minimum"]?["default"]?.value == "1.2")
        #expect(fields?["level"]?["enum"]?.value == ["low", "high"])
        #expect(fields?["timeout"]?["x-prefs"]?["type"]?.value == "duration")
    }

    @Test func `the fields of a secret are secret`() {
        #expect(SecretRelayPrefs.keys.first?.fields.allSatisfy(\.isSecret) == true)
        #expect(!SecretRelayPrefs.reference.contains("hidden"))
        #expect(!SecretRelayPrefs.jsonSchema.contains("hidden"))
        #expect(!SecretRelayPrefs.samplePropertyList.contains("hidden"))
    }

    @Test func `a misspelled field is reported with a suggestion`() throws {
        let stack = try Stack(
            user: ["relay": ["tls": ["minimun": "1.3", "minimum": "1.3"], "labels": ["any": 1]]])
        let prefs = RelayPrefs(stack.storage)
        #expect(prefs.relay.tls.minimum == "1.3")
        stack.storage.reportUnknownKeys()
        #expect(stack.reported.elements.map(\.error.key) == ["relay.tls.minimun"])
        #expect(stack.reported.elements.first?.error.reason.contains("relay.tls.minimum") == true)
    }

    @Test func `an explanation has a row for each field`() throws {
        let stack = try Stack(
            system: ["relay": ["host": "s", "timeout": "1m", "tls": ["minimum": "1.3"]]],
            user: ["relay": ["host": "u", "timeout": "soon", "tls": ["minimum": "1.0"]]],
            locking: ["relay.tls.minimum"])
        let key = PersistentKey("relay", defaultValue: RelayOptions())
        let rows = stack.storage.explanation(for: key).rows
        #expect(
            rows.map { "\($0.field ?? "") \($0.origin.layer ?? "") \($0.role.verdict.prefix(10))" } == [
                "relay.host user effective", "relay.host system shadowed", "relay.timeout user rejected: ",
                "relay.timeout system effective", "relay.tls.minimum user locked out",
                "relay.tls.minimum system effective",
            ])
        #expect(stack.storage.explanation(for: key).description.contains("tls.minimum: \"1.3\""))
    }
}
