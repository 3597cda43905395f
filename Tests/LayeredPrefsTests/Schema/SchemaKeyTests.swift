import LayeredPrefs
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@PrefsGroup private final class Limits {
    @Pref(in: 1...100, formerly: "count") var connections: Int = 10
}

@PrefsGroup private final class HTTP {
    /// The port to listen on.
    @Pref(in: 1...65_535, env: "PORT") var port = 8080
    @Pref var host: String?
    @PrefGroup(key: "bounds") var limits: Limits
}

@PrefsSchema private final class Prefs {
    @Storage var storage: PrefsStack
    @Pref var name = "relay"
    @Pref(key: "log.level", secret: true) var level: String = "info"
    @PrefGroup var http: HTTP

    init(_ storage: PrefsStack) { self.storage = storage }
}

@MainActor @PrefsSchema private final class IsolatedSettings {
    @Storage var storage = .dictionary
    @Pref var count = 1
}

@PrefsSchema private final class GenericSettings<Element: Codable & Sendable & Equatable> {
    @Storage var storage = .dictionary
    @Pref var first: Element?
}

@Suite struct SchemaKeyTests {
    private let user: DictionaryPrefsStorage
    private let prefs: Prefs

    init() {
        let user = DictionaryPrefsStorage()
        self.user = user
        prefs = Prefs(PrefsStack { PrefsLayer(.user, user) })
    }

    @Test func `a property has a key with all of its options`() throws {
        let port = prefs.key(\.http.port)
        #expect(port.id == "http.port" && port.defaultValue == 8080)
        #expect(port.traits.environmentName == "PORT")
        #expect(throws: PrefsError.self) { try prefs.storage.set(port, to: 0) }
        let connections = Prefs.key(\.http.limits.connections)
        #expect(connections.id == "http.bounds.connections")
        #expect(connections.traits.formerNames == ["http.bounds.count"])
        #expect(prefs.key(\.level).id == "log.level" && prefs.key(\.level).traits.isSecret)
        #expect(prefs.key(\.http.host).defaultValue == nil)
    }

    @Test func `a property is observed, and its origin found, without a second declaration`() async throws {
        let changes = Recorder<Int>()
        let observation = prefs.observe(\.http.port) { changes.record($0.new.value) }
        try user.set(prefs.key(\.http.port), to: 9090)
        #expect(try await changes.wait { !$0.isEmpty } == [9090])
        observation.cancel()
        let resolution = prefs.resolution(for: \.http.port)
        #expect(resolution.value == 9090 && resolution.origin?.layer == "user")
        var values = prefs.values(for: \.http.port).makeAsyncIterator()
        #expect(await values.next() == 9090)
    }

    @Test func `a snapshot has the values of one moment`() throws {
        let before = prefs.snapshot
        try prefs.storage.transaction {
            $0.set(prefs.key(\.http.port), to: 1, in: .user)
            $0.set(prefs.key(\.http.limits.connections), to: 2, in: .user)
        }
        #expect(before.http.port == 8080 && before.http.limits.connections == 10)
        let after = prefs.snapshot
        #expect(after.http.port == 1 && after.http.limits.connections == 2 && after.name == "relay")
        #expect(after.http.host == nil)
    }

    @Test @MainActor func `isolated and generic schemas have keys`() {
        #expect(IsolatedSettings.key(\.count).id == "count")
        #expect(IsolatedSettings().snapshot.count == 1)
        #expect(GenericSettings<Int>.key(\.first).id == "first")
    }
}
