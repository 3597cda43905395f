import TestSupport
import LayeredPrefs
import Observation
import Testing

@globalActor actor SettingsActor {
    static let shared = SettingsActor()
}

@MainActor @PrefsSchema final class MainPrefs {
    @Storage var storage = .dictionary
    @StorageMode var storageMode = .cachedReadStorageWrite

    @Pref var bar: Int = 123
    @Pref var foo = "x"
    var other = 0
}

@MainActor @PrefsGroup final class MainGroup {
    @Pref var port: Int = 80
}

@MainActor @PrefsSchema final class GroupedMainPrefs {
    @Storage var storage = .dictionary
    @PrefGroup var http: MainGroup
    @PrefGroup var free: StressGroup
}

@SettingsActor @PrefsSchema final class SettingsPrefs {
    @Storage var storage = .dictionary
    @Pref var bar: Int = 123
}

@PrefsSchema final class PartlyIsolatedPrefs {
    @Storage var storage = .dictionary
    @MainActor @Pref var main: Int?
    @SettingsActor @Pref var settings = "x"
    @Pref var free: String?
}

@PrefsSchema final class GenericPrefs<Content: PrefsStorageValue> {
    @Storage var storage = .dictionary
    @Pref var value: Content?
    @Pref var count: Int = 0
}

@MainActor @Suite struct MainActorSchemaTests {
    let prefs = MainPrefs()

    private func track(_ tally: Tally) {
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            tally.add()
        }
    }

    @Test func `a write on the actor is visible immediately and notifies observers`() {
        let received = Tally()
        track(received)
        prefs.bar += 1
        #expect(prefs.bar == 124)
        #expect(received.count == 1)
    }

    @Test func `willSet is delivered before the new value is visible`() async throws {
        let prefs = prefs
        let seen = Seen()
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            MainActor.assumeIsolated { seen.value = prefs.bar }
        }
        prefs.bar = 5
        #expect(seen.value == 123)
        #expect(prefs.bar == 5)
    }

    @Test func `a group may be isolated together with its schema`() {
        let prefs = GroupedMainPrefs()
        let received = Tally()
        withObservationTracking {
            _ = prefs.http.port
        } onChange: {
            received.add()
        }
        prefs.http.port = 81
        prefs.free.label = "x"
        #expect(received.count == 1)
        #expect(prefs.storage.snapshot["http.port"] == 81)
        #expect(GroupedMainPrefs.keys.map(\.name) == ["http.port", "free.label"])
    }

    @Test func `a write from another task becomes visible on the actor later`() async throws {
        let received = Tally()
        track(received)
        let storage = prefs.storage
        await Task.detached { _ = try? storage.setValue(7, forKey: "bar") }.value
        while received.count == 0 { await Task.yield() }
        #expect(prefs.bar == 7)
    }
}

@MainActor final class Seen {
    var value: Int?
}

@Suite struct IsolationTests {
    @SettingsActor @Test func `a schema may be isolated to any global actor`() async throws {
        let prefs = SettingsPrefs()
        let received = Tally()
        withObservationTracking {
            _ = prefs.bar
        } onChange: {
            received.add()
        }
        prefs.bar = 1
        #expect(received.count == 1)
        #expect(prefs.bar == 1)
        let storage = prefs.storage
        await Task.detached { _ = try? storage.setValue(7, forKey: "bar") }.value
        while prefs.bar == 1 { await Task.yield() }
        #expect(prefs.bar == 7)
    }

    @MainActor @Test func `a single preference may be isolated to an actor`() async {
        let prefs = PartlyIsolatedPrefs()
        let received = Tally()
        withObservationTracking {
            _ = prefs.main
        } onChange: {
            received.add()
        }
        prefs.main = 3
        #expect(prefs.main == 3)
        #expect(received.count == 1)
        prefs.free = "y"
        #expect(await readSettings(prefs) == "x")
    }

    @SettingsActor private func readSettings(_ prefs: PartlyIsolatedPrefs) -> String { prefs.settings }

    @Test func `the keys of an isolated schema can be listed outside its actor`() {
        #expect(MainPrefs.keys.map(\.name) == ["bar", "foo"])
        #expect(PartlyIsolatedPrefs.keys.map(\.name) == ["main", "settings", "free"])
    }

    @Test func `a generic schema reads and writes and notifies`() {
        let prefs = GenericPrefs<[String]>()
        let received = Tally()
        withObservationTracking {
            _ = prefs.value
        } onChange: {
            received.add()
        }
        prefs.value = ["a"]
        prefs.count += 1
        #expect(prefs.value == ["a"])
        #expect(prefs.count == 1)
        #expect(received.count == 1)
        #expect(GenericPrefs<Int>.keys.map(\.name) == ["value", "count"])
    }
}
