import LayeredPrefs
import Testing

@PrefsSchema final class ReadsPrefs {
    @Storage var storage: PrefsStack

    @Pref var used: Int = 1
    @Pref var dead: String = "x"

    init(_ storage: PrefsStack) { self.storage = storage }
}

@Suite struct SchemaReadsTests {
    @Test func `a property that is never read is listed`() {
        let storage = PrefsStack { PrefsLayer.overrides }
        let reads = storage.trackReads()
        let prefs = ReadsPrefs(storage)
        #expect(prefs.used == 1)
        #expect(storage.unreadKeys == ["dead"])
        #expect(reads.keys.map(\.name) == ["used"])
        #expect(prefs.dead == "x")
        #expect(storage.unreadKeys.isEmpty)
    }
}
