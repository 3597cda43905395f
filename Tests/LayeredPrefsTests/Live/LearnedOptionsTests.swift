import LayeredPrefs
import LayeredPrefsTesting
import Testing

/// The options of fields that the default instance does not contain, beside fields whose types accept no sample.
@Suite struct LearnedOptionsTests {
    private let storage = PrefsStack { PrefsLayer(.user, DictionaryPrefsStorage()) }

    private func rejection(of value: PrefsValue, at key: String) -> String? {
        do {
            try storage.setValue(value, forKey: key, in: .user)
            return nil
        } catch { return (error as? PrefsError)?.reason }
    }

    @Test func `a field of a type without samples hides no options`() throws {
        let config = try Live(Config(), storage)
        #expect(rejection(of: [["port": 99999]], at: "peers")?.hasPrefix("expected 1...65535") == true)
        #expect(rejection(of: 0, at: "proxy.port")?.hasPrefix("expected 1...65535") == true)
        #expect(storage.explanation(forKey: "proxy.password").isSecret)
        try storage.setValue([["port": 26, "password": "p", "color": "green"]], forKey: "peers", in: .user)
        #expect(config.current.peers.map(\.port) == [26] && config.current.peers[0].color == .green)
        #expect(storage.explanation(forKey: "peers").isSecret)
        #expect(rejection(of: "1.2.3", at: "address") != nil)
    }

    @Test func `a type whose fields are not all known is a warning`() throws {
        struct Unknown: Codable, Sendable {
            var color = Color.red
            @Setting(in: 1...65535) var port = 25
        }
        struct Unknowns: Codable, Sendable { var peers: [Unknown] = [] }
        let (diagnostics, warnings, recording) = Recorder.recording()
        defer { recording.cancel() }
        let storage = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer(.user, DictionaryPrefsStorage())
        }
        _ = try Live(Unknowns(), storage)
        #expect(warnings.elements.map(\.error.key) == ["peers[*].color"])
        #expect(
            warnings.elements.first?.error.reason
                == "the options of the fields after this one in Unknown are unknown, because there is no example of"
                + " Color; declare `Unknown: PrefsSection` with an init(), or give the options by name")
        _ = try Live(Unknowns(), storage, at: "named", fields: ["peers.*.port": .secret])
        #expect(warnings.elements.count == 1)
    }

    @Test func `an element of the default shows the fields of its type`() throws {
        enum Action: Codable, Sendable, Equatable {
            case proxy(String)
            case drop
        }
        struct Route: Codable, Sendable {
            var action: Action
            var upstreams: [Peer] = []
        }
        struct Routes: Codable, Sendable { var routes = [Route(action: .drop)] }
        let (diagnostics, warnings, recording) = Recorder.recording()
        defer { recording.cancel() }
        let storage = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer(.user, DictionaryPrefsStorage())
        }
        let live = try Live(Routes(), storage)
        #expect(live.current.routes.map(\.action) == [.drop] && warnings.elements.isEmpty)
        let wrong: PrefsValue = [["action": ["drop": [:]], "upstreams": [["port": 0]]]]
        let error = #expect(throws: PrefsError.self) {
            try storage.setValue(wrong, forKey: "routes", in: .user)
        }
        #expect(error?.key == "routes[0].upstreams[0].port")
    }

    @Test func `a struct that checks its values has all its fields`() throws {
        struct Checked: Codable, Sendable {
            var host: String
            init(from decoder: any Decoder) throws {
                host = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .host)
                guard !host.isEmpty else {
                    throw PrefsError(.invalid, reason: "expected a host")
                }
            }
        }
        struct Hosts: Codable, Sendable { var hosts: [Checked] = [] }
        _ = try Live(Hosts(), storage)
        #expect(rejection(of: [["host": ""]], at: "hosts") != nil)
        #expect(rejection(of: [["host": "a"]], at: "hosts") == nil)
    }
}

/// An enum that does not list its cases.
private enum Color: String, Codable, Sendable { case red, green }

/// A type that accepts hardly any text.
private struct Address: Codable, Sendable {
    var text = "127.0.0.1"

    init() {}

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.split(separator: ".").count == 4 else {
            throw PrefsError(.invalid, reason: "expected an IPv4 address")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

private struct Peer: PrefsSection, Sendable {
    var color = Color.red
    @Setting(in: 1...65535) var port = 25
    @Setting(secret: true) var password = "none"
}

private struct Config: Codable, Sendable {
    var color = Color.red
    var address = Address()
    var peers: [Peer] = []
    var proxy: Peer?
}
