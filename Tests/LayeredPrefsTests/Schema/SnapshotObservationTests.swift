import LayeredPrefs
import LayeredPrefsTesting
import Observation
import TestSupport
import Testing

@PrefsSchema final class SnapshotPrefs {
    @Storage var storage: PrefsStack
    @Pref var theme: String = "light"
    @Pref var count: Int = 0
    @PrefGroup var http: SnapshotGroup
}

@PrefsSchema final class NamesakePrefs {
    @Storage var storage = .dictionary
    @Pref var snapshot: String = "a property of this name"
}

@PrefsGroup final class SnapshotGroup {
    @Pref var port: Int = 80
    @Pref(formerly: "name") var host: String = "::"
}

@MainActor @PrefsSchema final class MainSnapshotPrefs {
    @Storage var storage: PrefsStack
    @Pref var theme: String = "light"
    @PrefGroup var http: SnapshotGroup
}

/// The values of a schema's snapshot that observation follows.
@Suite struct SnapshotObservationTests {
    private let user = DictionaryPrefsStorage()
    private let stack: PrefsStack

    init() {
        stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { [user] in
            PrefsLayer(.user, user)
        }
    }

    private func set(_ key: String, _ value: PrefsValue) { user.update { $0[key] = value } }

    /// Returns how often a change notifies an observation of the values that `read` reads.
    private func notifications(of read: () -> Void, change: () -> Void) -> Int {
        let tally = Tally()
        withObservationTracking(read) { tally.add() }
        change()
        return tally.count
    }

    @Test(
        arguments: [
            ("theme", "dark", ["theme"]), ("count", 1, ["count"]), ("http.port", 8080, ["port"]),
            ("http", ["port": 81, "host": "a"], ["port", "host"]), ("http.name", "b", ["host"]),
            ("theme", "light", []), ("count", "no number", []), ("other", 1, []),
        ] as [(String, PrefsValue, [String])])
    func `a change notifies the observations that have read the value that differs`(
        key: String, value: PrefsValue, expected: [String]
    ) throws {
        let prefs = SnapshotPrefs(stack)
        let reads: [(name: String, read: () -> Void)] = [
            ("theme", { _ = prefs.snapshot.theme }), ("count", { _ = prefs.snapshot.count }),
            ("port", { _ = prefs.snapshot.http.port }), ("host", { _ = prefs.snapshot.http.host }),
        ]
        let tallies = reads.map { _ in Tally() }
        for (read, tally) in zip(reads, tallies) { withObservationTracking(read.read) { tally.add() } }
        try user.setValue(value, forKey: key)
        #expect(zip(reads, tallies).filter { $1.count == 1 }.map(\.0.name) == expected)
    }

    @Test func `a property of the name snapshot remains one`() {
        let prefs = NamesakePrefs()
        prefs.snapshot = "x"
        #expect(prefs.snapshot == "x")
    }

    @Test func `of several values of one moment each is followed`() {
        let prefs = SnapshotPrefs(stack)
        func read() {
            let now = prefs.snapshot
            _ = (now.theme, now.http.port)
        }
        #expect(notifications(of: read) { set("http.port", 1) } == 1)
        #expect(notifications(of: read) { set("theme", "dark") } == 1)
        #expect(notifications(of: read) { set("count", 1) } == 0)
    }

    @Test func `another storage notifies of the values that differ`() {
        let prefs = SnapshotPrefs(stack)
        let values = DictionaryPrefsStorage(values: ["theme": "dark"])
        let other = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(.user, values)
        }
        let tallies = (Tally(), Tally())
        withObservationTracking({ _ = prefs.snapshot.theme }) { tallies.0.add() }
        withObservationTracking({ _ = prefs.snapshot.count }) { tallies.1.add() }
        prefs.storage = other
        #expect(tallies.0.count == 1 && tallies.1.count == 0)
        withObservationTracking({ _ = prefs.snapshot.count }) { tallies.1.add() }
        values.update { $0["count"] = 3 }
        #expect(tallies.1.count == 2, "both observations of the value")
    }

    @Test
    func `a sequence of observations yields each change of the value and no other`() async throws {
        let prefs = SnapshotPrefs(stack)
        let values = Observations { prefs.snapshot.theme }
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next() == "light")
        for theme in ["dark", "solarized", "light"] {
            set("count", 1)
            set("theme", .string(theme))
            #expect(await iterator.next() == theme)
        }
    }

    @Test @MainActor func `a schema on the main actor is followed, and so are its groups`() async throws {
        let prefs = MainSnapshotPrefs(stack)
        let notified = Recorder<String>()
        withObservationTracking({ _ = prefs.snapshot.theme }) { notified.record("theme") }
        withObservationTracking({ _ = prefs.snapshot.http.port }) { notified.record("port") }
        set("theme", "dark")
        try await notified.wait { $0 == ["theme"] }
        set("http.port", 1)
        try await notified.wait { $0 == ["theme", "port"] }
    }
}
