import LayeredPrefs
import Testing

@PrefsSchema private final class Prefs {
    @Storage var storage: PrefsStack

    @Pref(debugOnly: true, releaseValue: true) var usesRealServer: Bool = false
    @Pref(debugOnly: true) var title: String = "real"
    @Pref var port: Int = 80
    @PrefGroup var trace: TracePrefs
}

@PrefsGroup private final class TracePrefs {
    @Pref(in: 0...9, debugOnly: true, releaseValue: 0) var depth: Int = 3
}

@Suite struct DebugSchemaTests {
    private let prefs = Prefs(
        PrefsStack {
            PrefsLayer.defaults(["usesRealServer": false, "title": "test", "trace.depth": 9, "port": 1])
            PrefsLayer.overrides
        })

    @Test func `a debug property has its release value, whatever is stored`() {
        #expect(prefs.usesRealServer)
        #expect(prefs.title == "real")
        #expect(prefs.trace.depth == 0)
        #expect(prefs.port == 1)
        #expect(prefs.snapshot.usesRealServer)
        #expect(prefs.snapshot.trace.depth == 0)
        #expect(!prefs.key(\.trace.depth).isMutable)
        #expect(prefs.key(\.port).isMutable)
    }

    @Test func `assigning a debug property stores nothing`() throws {
        (prefs.usesRealServer, prefs.title, prefs.trace.depth) = (false, "test", 5)
        #expect(prefs.usesRealServer)
        #expect(prefs.title == "real")
        #expect(prefs.trace.depth == 0)
        #expect(prefs.storage.layer(.overrides)?.storage.snapshot["title"] == nil)
        #expect(try prefs.storage.set(prefs.key(\.title), to: "test") == .notStored)
    }
}
