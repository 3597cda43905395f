import Foundation
import LayeredPrefs
import LayeredPrefsTesting
import Observation
import TestSupport
import Testing

@PrefsSchema private final class InPlacePrefs {
    struct Window: Codable, Equatable, Sendable {
        var width = 800
        var height = 600
        var title: String?

        mutating func resize(to width: Int, failing: Bool) throws {
            self.width = width
            if failing { throw Failure() }
            height = width
        }
    }

    struct Failure: Error {}

    @Storage var storage: PrefsStack
    @Pref(merge: .deep) var features: [String: Bool] = [:]
    @Pref var window = Window()
    @Pref var second: Window?
    @Pref var recentFiles: [String] = []
    @Pref(in: 0...10) var openCount: Int = 0
    @PrefGroup var panel: PanelPrefs
}

@PrefsGroup private final class PanelPrefs {
    @Pref var window = InPlacePrefs.Window()
}

@MainActor @PrefsSchema private final class MainWindowPrefs {
    @Storage var storage: PrefsStack
    @Pref var window = InPlacePrefs.Window()
}

@PrefsSchema private final class GenericWindowPrefs<Content: Codable & Sendable> {
    @Storage var storage: PrefsStack
    @Pref(merge: .deep) var contents: [String: Content]?
}

/// Properties that are changed in place.
@Suite struct SchemaChangeInPlaceTests {
    private let sandbox: PrefsSandbox
    private let path: String
    private let diagnosed: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation
    private let storage: PrefsStack
    private let prefs: InPlacePrefs

    init() throws {
        sandbox = try PrefsSandbox()
        path = sandbox.root + "/user.json"
        let diagnostics: PrefsDiagnosticHandler
        (diagnostics, diagnosed, subscription) = Recorder.recording()
        let file = FilePrefsStorage(path: path)
        storage = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer.defaults(["features": ["shipped": true]])
            PrefsLayer(.user, file)
            PrefsLayer.overrides
        }
        prefs = InPlacePrefs(storage)
    }

    /// The contents of the user's file.
    private var written: [String: PrefsValue] { FilePrefsStorage(path: path).snapshot.dictionary }

    @Test func `a field, an entry and an element are stored`() {
        prefs.window.width = 5
        prefs.window.title = "Main"
        prefs.features["x"] = true
        prefs.recentFiles.append("a")
        prefs.openCount += 1
        prefs.panel.window.height = 7
        #expect(
            written == [
                "window": ["width": 5, "title": "Main"], "features": ["x": true], "recentFiles": ["a"],
                "openCount": 1, "panel": ["window": ["height": 7]],
            ])
        #expect(prefs.window == InPlacePrefs.Window(width: 5, title: "Main"))
        #expect(prefs.features == ["shipped": true, "x": true])
        #expect(diagnosed.elements.isEmpty)
    }

    @Test func `what another layer gives is not stored`() throws {
        try storage.setValue(["height": 1], forKey: "window", in: .overrides)
        prefs.window.width = 5
        #expect(written == ["window": ["width": 5]])
        prefs.window = InPlacePrefs.Window(width: 5, height: 1)
        #expect(written == ["window": ["width": 5, "height": 1]])
    }

    @Test func `a value that is left as it was is not stored`() throws {
        let received = Tally()
        withObservationTracking {
            _ = (prefs.window, prefs.openCount, prefs.features, prefs.second)
        } onChange: {
            received.add()
        }
        prefs.window.width += 0
        prefs.openCount += 0
        prefs.features["absent"] = nil
        prefs.second?.width = 5
        prefs.recentFiles.removeAll()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(received.count == 0)
    }

    @Test func `what is changed before an error is thrown is stored`() {
        #expect(throws: InPlacePrefs.Failure.self) { try prefs.window.resize(to: 5, failing: true) }
        #expect(prefs.window == InPlacePrefs.Window(width: 5))
        #expect(throws: Never.self) { try prefs.window.resize(to: 7, failing: false) }
        #expect(prefs.window == InPlacePrefs.Window(width: 7, height: 7))
    }

    @Test func `a change that cannot be stored is reported and changes nothing`() {
        prefs.openCount += 11
        #expect(prefs.openCount == 0)
        prefs.features["shipped"] = nil
        #expect(prefs.features == ["shipped": true])
        prefs.features.removeAll()
        #expect(prefs.features == ["shipped": true])
        #expect(diagnosed.elements.map(\.error.code) == [.invalid, .unsupported, .unsupported])
        #expect(diagnosed.elements.last?.error.key == "features.shipped")
        #expect(written == [:])
    }

    @Test func `an optional struct is created and changed`() {
        prefs.second = InPlacePrefs.Window()
        prefs.second?.width = 5
        #expect(prefs.second == InPlacePrefs.Window(width: 5))
        #expect(written == ["second": ["width": 5, "height": 600]])
    }

    @Test func `observers are notified once`() {
        let received = Tally()
        withObservationTracking {
            _ = prefs.window
        } onChange: {
            received.add()
        }
        prefs.features["x"] = true
        #expect(received.count == 0)
        prefs.window.width = 5
        #expect(received.count == 1)
    }

    @Test func `two properties change in place at once`() {
        prefs.window.width = 5
        prefs.window.height = 7
        swap(&prefs.window.width, &prefs.panel.window.height)
        #expect(prefs.window == InPlacePrefs.Window(width: 600, height: 7))
        #expect(prefs.panel.window == InPlacePrefs.Window(height: 5))
    }

    @Test func `a change through a protocol or a key path is stored`() {
        func widen(_ resizable: some Resizable) { resizable.window.width += 1 }
        widen(prefs)
        prefs[keyPath: \.window.height] += 1
        #expect(prefs.window == InPlacePrefs.Window(width: 801, height: 601))
    }

    @MainActor @Test func `a change on the main actor is visible when it returns`() {
        let prefs = MainWindowPrefs(storage)
        let received = Tally()
        withObservationTracking {
            _ = prefs.window
        } onChange: {
            received.add()
        }
        prefs.window.width = 5
        #expect(prefs.window.width == 5)
        #expect(received.count == 1)
        #expect(written == ["window": ["width": 5]])
    }

    @Test func `a property of a generic schema is changed in place`() {
        let prefs = GenericWindowPrefs<Int>(storage)
        prefs.contents = ["a": 1]
        prefs.contents?["b"] = 2
        #expect(written == ["contents": ["a": 1, "b": 2]])
    }
}

private protocol Resizable: AnyObject {
    var window: InPlacePrefs.Window { get set }
}

extension InPlacePrefs: Resizable {}
