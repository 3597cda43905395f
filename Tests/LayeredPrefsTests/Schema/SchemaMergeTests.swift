import TestSupport
import LayeredPrefs
import LayeredPrefsTesting
import Observation
import Testing

@PrefsSchema final class MergingPrefs {
    @Storage var storage: PrefsStack
    @Pref(merge: .deep) var merged: [String: Int] = ["fallback": 0]
    @Pref(merge: .deep) var nested: [String: [String: Int]]?
    @Pref(merge: .deep) var optional: [String: String]?
    @Pref(merge: .deep) var raw: [String: PrefsValue] = [:]
    @Pref var plain: [String: Int] = [:]
    @Pref(merge: .replacing) var replaced: [String: Int]?

    init(_ storage: PrefsStack) { self.storage = storage }
}

/// Dictionaries with some entries in one file and the others in another file.
@Suite struct SchemaMergeTests {
    private let sandbox: PrefsSandbox
    private let prefs: MergingPrefs
    private let diagnosed: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    init() throws {
        sandbox = try PrefsSandbox()
        let system: PrefsValue = ["a": 1, "b": 2]
        try sandbox.write(
            [
                "merged": system, "plain": system, "replaced": system, "raw": system,
                "nested": ["x": ["a": 1, "b": 2], "y": ["c": 3]], "optional": ["a": "system"],
            ], to: sandbox.vendor)
        let user: PrefsValue = ["b": 20, "c": 30]
        try sandbox.write(
            [
                "merged": user, "plain": user, "replaced": user, "raw": user, "nested": ["x": ["b": 20]],
                "optional": ["b": "user"],
            ], to: sandbox.user)
        var options = FilePrefsStorage.Options()
        (options.diagnostics, diagnosed, subscription) = Recorder.recording()
        prefs = MergingPrefs(sandbox.standard(options: options))
    }

    @Test func `a deeply merged dictionary has the entries of all layers`() {
        #expect(prefs.merged == ["a": 1, "b": 20, "c": 30, "fallback": 0])
        #expect(prefs.nested == ["x": ["a": 1, "b": 20], "y": ["c": 3]])
        #expect(prefs.optional == ["a": "system", "b": "user"])
        #expect(prefs.raw == ["a": 1, "b": 20, "c": 30])
    }

    @Test func `without a deep merge the topmost dictionary replaces the others`() {
        #expect(prefs.plain == ["b": 20, "c": 30])
        #expect(prefs.replaced == ["b": 20, "c": 30])
    }

    @Test func `the default is merged below all layers`() throws {
        try sandbox.write(["merged": ["fallback": 1]], to: sandbox.vendor)
        prefs.storage.reload()
        #expect(prefs.merged == ["b": 20, "c": 30, "fallback": 1])
        try sandbox.remove(sandbox.vendor)
        try sandbox.remove(sandbox.user)
        prefs.storage.reload()
        #expect(prefs.merged == ["fallback": 0])
        #expect(prefs.nested == nil)
    }

    @Test func `an entry added to a lower layer is visible and notifies observers`() throws {
        let received = Tally()
        withObservationTracking {
            _ = (prefs.merged, prefs.nested)
        } onChange: {
            received.add()
        }
        try sandbox.write(["merged": ["a": 1, "new": 5]], to: sandbox.vendor)
        prefs.storage.reload()
        #expect(prefs.merged == ["a": 1, "new": 5, "b": 20, "c": 30, "fallback": 0])
        // The watching thread may have read the file first, and may not have notified yet.
        #expect(eventually { received.count == 1 })
    }

    @Test func `a dictionary with an entry of the wrong type is rejected as a whole`() throws {
        try sandbox.write(["merged": ["b": "not a number", "c": 30]], to: sandbox.user)
        prefs.storage.reload()
        #expect(prefs.merged == ["a": 1, "b": 2, "fallback": 0])
        #expect(eventually { diagnosed.elements.contains { $0.error.code == .wrongType } })
    }

    @Test func `a locked entry keeps the value of the locking layer`() throws {
        try sandbox.write("merged.b\n", to: sandbox.vendor.replacing(".plist", with: ".locks"))
        prefs.storage.reload()
        #expect(prefs.merged == ["a": 1, "b": 2, "c": 30, "fallback": 0])
    }
}
