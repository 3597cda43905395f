import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// A configuration with many fields, or with a large one: its work grows with the difference.
@Suite struct LargeConfigurationTests {
    /// Counts the decodings of the types in this file.
    @TaskLocal private static var decoded = Tally()

    /// A struct with many fields, all of them optional and none of them `nil`.
    private struct Wide: Codable, Sendable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        var values: [Int?]

        init(_ count: Int) { values = Array(repeating: 1, count: count) }

        init(from decoder: any Decoder) throws {
            LargeConfigurationTests.decoded.add()
            let container = try decoder.container(keyedBy: Key.self)
            values = try (0..<100).map {
                try container.decodeIfPresent(Int.self, forKey: Key(stringValue: "field\($0)"))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (index, value) in values.enumerated() {
                try container.encodeIfPresent(value, forKey: Key(stringValue: "field\(index)"))
            }
        }
    }

    private struct Route: PrefsSection, Sendable, Equatable {
        var host = "host"

        init() {}

        init(from decoder: any Decoder) throws {
            LargeConfigurationTests.decoded.add()
            host = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .host)
        }
    }

    private struct Gateway: Codable, Sendable {
        var limit = 1
        var routes: [String: Route] = [:]
        var listed: [Route] = []
    }

    private func stack(_ values: [String: PrefsValue] = [:]) -> PrefsStack {
        PrefsStack(diagnostics: .silent) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: values))
            PrefsLayer.overrides
        }
    }

    /// Returns the number of decodings on this thread while `body` runs.
    private func decodings(_ body: () throws -> Void) rethrows -> Int {
        let count = Tally()
        try Self.$decoded.withValue(count) { try body() }
        return count.count
    }

    @Test func `the fields of a configuration are declared in one commit`() throws {
        let storage = stack()
        let before = storage.engine.state.withLock { $0.composition.count }
        let wide = try Live(Wide(100), storage)
        let after = storage.engine.state.withLock { $0.composition.count }
        #expect(after - before == 1)
        #expect(wide.current.values.count == 100)
    }

    @Test func `optional fields are looked at together`() throws {
        let reported = Recorder<String>()
        let storage = PrefsStack(
            diagnostics: PrefsDiagnosticHandler { reported.record($0.error.key ?? "") }
        ) { PrefsLayer.overrides }
        let count = try decodings { _ = try Live(Wide(100), storage) }
        #expect(reported.elements == (0..<100).map { "field\($0)" })
        #expect(count < 20)
    }

    @Test func `an optional field of a type that cannot do without all of them is found`() throws {
        struct Endpoint: Codable, Sendable {
            var host: String? = "h"
            var path: String? = "p"
            var port = 1

            init() {}

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                host = try container.decodeIfPresent(String.self, forKey: .host)
                path = try container.decodeIfPresent(String.self, forKey: .path)
                port = try container.decodeIfPresent(Int.self, forKey: .port) ?? 1
                if host == nil, path == nil {
                    throw DecodingError.dataCorruptedError(
                        forKey: .host, in: container, debugDescription: "a host or a path is required")
                }
            }
        }
        let reported = Recorder<String>()
        let storage = PrefsStack(
            diagnostics: PrefsDiagnosticHandler { reported.record($0.error.key ?? "") }
        ) { PrefsLayer.overrides }
        _ = try Live(Endpoint(), storage)
        #expect(reported.elements == ["host", "path"])
    }

    @Test func `a write of one field decodes no large collection again`() throws {
        let route: PrefsValue = ["host": "x"]
        let entries = Dictionary(uniqueKeysWithValues: (0..<200).map { ("r\($0)", route) })
        let storage = stack([
            "routes": .dictionary(entries), "listed": .array(Array(repeating: route, count: 200)),
        ])
        let gateway = try Live(Gateway(), storage)
        // After the declaration of the fields, the first write may decode them again.
        try storage.setValue(2, forKey: "limit", in: .overrides)
        let count = try decodings {
            try storage.setValue(3, forKey: "limit", in: .overrides)
            #expect(gateway.current.limit == 3 && gateway.current.routes["r7"]?.host == "x")
        }
        #expect(count == 0)
        try storage.setValue("z", forKey: "routes.r7.host", in: .overrides)
        #expect(gateway.current.routes.map(\.value.host) == ["z"] && gateway.current.listed.count == 200)
    }

    @Test func `what is declared again is not composed again`() throws {
        let storage = stack()
        let key = PersistentKey("a", defaultValue: 1)
        storage.declare(key)
        let before = storage.engine.state.withLock { $0.composition.count }
        storage.declare(key)
        storage.tryCommit()
        #expect(storage.engine.state.withLock { $0.composition.count } == before)
        storage.declare(PersistentKey("b", defaultValue: 1))
        #expect(storage.engine.state.withLock { $0.composition.count } == before + 1)
    }
}
