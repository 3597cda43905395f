import TestSupport
import LayeredPrefs
import Observation
import Testing

@PrefsGroup final class TLSPrefs {
    @Pref var certificate: String?
}

@PrefsGroup final class HTTPPrefs {
    /// The port.
    @Pref(formerly: "listen") var port: Int = 80
    @Pref var host = "localhost"
    @PrefGroup var tls: TLSPrefs
}

@PrefsSchema final class GroupedPrefs {
    @Storage var storage: DictionaryPrefsStorage
    @StorageMode var storageMode = .cachedReadStorageWrite

    @Pref var name: String?
    @PrefGroup var http: HTTPPrefs
    @PrefGroup(key: "other.http") var second: HTTPPrefs

    init(_ storage: DictionaryPrefsStorage) { self.storage = storage }
}

@Suite struct SchemaGroupTests {
    let storage = DictionaryPrefsStorage()
    let prefs: GroupedPrefs

    init() { prefs = GroupedPrefs(storage) }

    @Test func `a group adds its path to the names of its keys`() throws {
        prefs.http.port = 8080
        prefs.second.port = 8081
        prefs.http.tls.certificate = "x"
        #expect(storage.snapshot["http.port"] == 8080)
        #expect(storage.snapshot["other.http.port"] == 8081)
        #expect(storage.snapshot["http.tls.certificate"] == "x")
        #expect(prefs.http.port == 8080)
        #expect(prefs.second.port == 8081)
        #expect(prefs.http === prefs.http)
    }

    @Test func `former names are read below the path of the group`() throws {
        try storage.setValue(90, forKey: "http.listen")
        #expect(prefs.http.port == 90)
        #expect(prefs.second.port == 80)
    }

    @Test func `the keys of a schema include those of its groups`() {
        #expect(
            GroupedPrefs.keys.map(\.name) == [
                "name", "http.port", "http.host", "http.tls.certificate", "other.http.port",
                "other.http.host",
                "other.http.tls.certificate",
            ])
        #expect(GroupedPrefs.keys[1].formerNames == ["http.listen"])
        #expect(GroupedPrefs.keys[1].documentation == "The port.")
    }

    @Test func `a group is observable`() throws {
        let received = Tally()
        withObservationTracking {
            _ = prefs.http.port
        } onChange: {
            received.add()
        }
        try storage.setValue(1, forKey: "other.http.port")
        #expect(received.count == 0)
        try storage.setValue(1, forKey: "http.port")
        #expect(received.count == 1)
    }

    @Test func `a group follows when the storage of its schema is replaced`() throws {
        #expect(prefs.http.tls.certificate == nil)
        let received = Tally()
        withObservationTracking {
            _ = prefs.http.tls.certificate
        } onChange: {
            received.add()
        }
        let other = DictionaryPrefsStorage(values: ["http.tls.certificate": "new"])
        prefs.storage = other
        #expect(received.count == 1)
        #expect(prefs.http.tls.certificate == "new")
        prefs.http.port = 5
        #expect(other.snapshot["http.port"] == 5)
    }
}
