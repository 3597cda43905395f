import FoundationEssentials
import LayeredPrefs
import LayeredPrefsReference
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@PrefsGroup final class DocumentedHTTP {
    /// The port -- of the server.
    @Pref(in: 1...65535) var port: Int = 8080
    @Pref(secret: true) var password: String = "hunter2"
}

@PrefsSchema final class DocumentedPrefs {
    @Storage var storage = .dictionary

    /// A "name".
    @Pref(env: "NAME", formerly: "title", needsRestart: true) var name: String?
    @PrefGroup var http: DocumentedHTTP
    @Pref(merge: .deep) var table: [String: [Double]] = ["a": [0.5]]
    @Pref var fruit: Fruit = .apple
}

struct Upstream: Codable, Sendable, Equatable {
    enum Scheme: String, Codable, CaseIterable { case http, https }

    var name: String
    var port: Int
    var scheme: Scheme?
    var timeout: Duration?
    var headers: [String: String]?
    var fallbacks: [Upstream]?
}

/// An enum without a list of its cases, so the library cannot make a sample of it.
struct Opaque: Codable, Sendable {
    enum Mode: String, Codable { case fast, slow }

    var count: Int
    var mode: Mode
}

@PrefsSchema final class UpstreamPrefs {
    @Storage var storage = .dictionary

    @Pref var upstreams: [Upstream] = []
    @Pref var opaque: [Opaque] = []
}

@PrefsSchema final class SecretPrefs {
    @Storage var storage: PrefsStack

    @PrefGroup var http: DocumentedHTTP

    init(_ storage: PrefsStack) { self.storage = storage }
}

@Suite struct SchemaReferenceTests {
    @Test func `the reference lists everything except secrets`() {
        let text = DocumentedPrefs.reference(environmentPrefix: "MYD_")
        #expect(
            text.hasPrefix(
                """
                ## `name`

                A "name".

                - Type: string
                - Default: none
                - Environment: `NAME`
                - Formerly: `title`
                - Changes: take effect after a restart

                ## `http.port`

                The port -- of the server.

                - Type: integer
                - Default: `8080`
                - Allowed: `1...65535`
                - Environment: `MYD_HTTP_PORT`

                """))
        #expect(!text.contains("hunter2"))
    }

    @Test func `the sample is a property list that changes nothing`() throws {
        let text = DocumentedPrefs.samplePropertyList(environmentPrefix: "MYD_")
        #expect(!text.contains("hunter2"))
        #expect(text.contains("        <key>port</key>\n        <integer>8080</integer>\n        -->"))
        let content = try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList).content
        #expect(content["name"] == nil)
        #expect(content["http"] == .dictionary([:]))
    }

    @Test func `the uncommented sample contains the defaults`() throws {
        let text = DocumentedPrefs.samplePropertyList
        let lines = text.split(separator: "\n").filter {
            $0.contains("<") && !$0.contains("!--") && !$0.contains("--")
        }
        let sample = Array(lines.joined(separator: "\n").utf8)
        let content = try PrefsDocument(parsing: sample, as: .xmlPropertyList).content
        #expect(content["table"] == ["a": [0.5]])
        #expect(content["fruit"] == "apple")
    }

    @Test func `the JSON Schema is valid JSON with nested objects`() throws {
        let text = DocumentedPrefs.jsonSchema(environmentPrefix: "MYD_")
        #expect(!text.contains("hunter2"))
        let root = try JSONDecoder().decode(SchemaNode.self, from: Data(text.utf8))
        #expect(root.schema == "https://json-schema.org/draft/2020-12/schema")
        let port = try #require(root.properties?["http"]?.properties?["port"])
        #expect(port.type == "integer")
        #expect(port.minimum == 1)
        #expect(port.maximum == 65535)
        #expect(port.description == "The port -- of the server.")
        #expect(port.extras?.environment == "MYD_HTTP_PORT")
        let password = root.properties?["http"]?.properties?["password"]
        #expect(password?.writeOnly == true)
        #expect(root.properties?["fruit"]?.values == ["apple", "banana", "orange"])
        #expect(root.properties?["name"]?.extras?.formerNames == ["title"])
    }

    @Test func `the JSON Schema describes the elements of an array of structs`() throws {
        let root = try JSONDecoder().decode(SchemaNode.self, from: Data(UpstreamPrefs.jsonSchema.utf8))
        let upstreams = try #require(root.properties?["upstreams"])
        let element = try #require(upstreams.items)
        #expect(upstreams.type == "array")
        #expect(element.type == "object")
        #expect(element.required == ["name", "port"])
        #expect(element.additionalProperties == .nothing)
        #expect(element.properties?["port"]?.type == "integer")
        #expect(element.properties?["scheme"]?.values == ["http", "https"])
        #expect(element.properties?["timeout"]?.extras?.type == "duration")
        #expect(element.properties?["fallbacks"]?.type == "array")
        #expect(UpstreamPrefs.reference.contains("- Type: array of {name: string, port: integer, scheme?: "))

        // The fields after a field without a sample are unknown.
        let opaque = try #require(root.properties?["opaque"]?.items)
        #expect(opaque.required == ["count", "mode"])
        #expect(opaque.properties?["mode"]?.type == "string")
        #expect(opaque.additionalProperties == nil)
    }
}

private final class SchemaNode: Decodable {
    var schema, type, description: String?
    var minimum, maximum: Int?
    var writeOnly: Bool?
    var values: [String]?
    var properties: [String: SchemaNode]?
    var items: SchemaNode?
    var required: [String]?
    var additionalProperties: Others?
    var extras: Extras?

    enum Others: Decodable {
        case nothing, something

        init(from decoder: any Decoder) throws {
            self = (try? decoder.singleValueContainer().decode(Bool.self)) == false ? .nothing : .something
        }
    }

    struct Extras: Decodable {
        var type: String?
        var environment: String?
        var formerNames: [String]?
    }

    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case values = "enum"
        case extras = "x-prefs"
        case type, description, minimum, maximum, writeOnly, properties, items, required
        case additionalProperties
    }
}
