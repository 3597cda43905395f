import PrefsDocuments
import Testing

@testable import LayeredPrefs

@PrefsSchema final class PartPrefs {
    @Storage var storage: PrefsStack
    @Pref(formerly: "win") var window: ArgumentPartTests.Window = ArgumentPartTests.Window()
    @Pref(merge: .deep) var features: [String: Bool] = ["base": true]
    @Pref(merge: .deep) var limits: [String: [String: Int]] = [:]
    @Pref(merge: .deep) var peers: [String: ArgumentPartTests.Peer] = [:]
    @Pref var plain: [String: Int] = [:]
    @Pref var theme: String = "light"
    @PrefGroup var deep: PartGroup
}

@PrefsGroup final class PartGroup {
    @Pref var window: ArgumentPartTests.Window = ArgumentPartTests.Window()
}

/// Arguments `--set` with a path below a key: a field of a struct, or an entry of a dictionary that merges.
@Suite struct ArgumentPartTests {
    struct Window: Codable, Sendable, Equatable {
        struct Frame: Codable, Sendable, Equatable { var color = "none" }

        var width = 80
        var height = 24
        var frame = Frame()
        var delay = Duration.seconds(1)
        var labels: [String: String] = [:]
    }

    struct Peer: PrefsSection, Sendable, Equatable {
        var host = "::"
        var port = 1
    }

    struct Program: Codable, Sendable {
        var window = Window()
        var plain: [String: Int] = [:]
        var theme = "light"
    }

    private static let window = PersistentKey("window", defaultValue: Window(), .formerly("win"))
    private static let features = PersistentKey("features", defaultValue: ["base": true], .merge(.deep))

    private func stack(
        _ arguments: [String], user: [String: PrefsValue] = [:], locking locks: [String] = []
    ) -> PrefsStack {
        PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(.user, DictionaryPrefsStorage(values: user), locking: locks)
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments.flatMap { ["--set", $0] }))
        }
    }

    @Test func `a field of a struct is set, and the others stay`() throws {
        let expected = Window(
            width: 100, height: 30, frame: Window.Frame(color: "red"), delay: .seconds(2), labels: ["a": "b"])
        let user: [String: PrefsValue] = ["window": ["height": 30]]
        let settings = [
            "window.width=100", "window.frame.color=red", "window.delay=2s", #"window.labels={"a": "b"}"#,
        ]
        let prefs = PartPrefs(stack(settings, user: user))
        #expect(prefs.window == expected)
        try prefs.storage.checkArguments()
        let single = stack(settings, user: user)
        single.declare(Self.window)
        try single.checkArguments()
        #expect(single.get(Self.window) == expected)
        #expect(try Live(Program(), stack(settings, user: user)).current.window == expected)
        let former = stack(settings.map { "win\($0.dropFirst("window".count))" }, user: user)
        former.declare(Self.window)
        try former.checkArguments()
        #expect(former.get(Self.window) == expected)
    }

    @Test func `an entry of a dictionary that merges is set, and the others stay`() throws {
        let settings = [
            "features.x=yes", #"features."a.b"=false"#, "limits.a.b=5", "peers.one.port=7",
            "peers.two.host=h",
        ]
        let user: [String: PrefsValue] = [
            "features": ["x": false, "y": true], "peers": ["one": ["host": "u"]],
        ]
        let prefs = PartPrefs(stack(settings, user: user))
        #expect(prefs.features == ["base": true, "x": true, "y": true, "a.b": false])
        #expect(prefs.limits == ["a": ["b": 5]])
        #expect(prefs.peers["one"] == Peer(host: "u", port: 7))
        let single = stack(["features.x=yes"], user: user)
        single.declare(Self.features)
        try single.checkArguments()
        #expect(single.get(Self.features) == ["base": true, "x": true, "y": true])
    }

    @Test(arguments: [
        ("window.width=wide", "window.width: expected an integer, found the string \"wide\""),
        ("window.widht=1", "window.widht: unknown key; did you mean “window.width”?"),
        ("deep.window.widht=1", "deep.window.widht: unknown key; did you mean “deep.window.width”?"),
        ("window.width.x=1", "window.width.x: unknown key; “window.width” is set as a whole"),
        ("window.labels.x=1", "window.labels.x: unknown key; “window.labels” is set as a whole"),
        ("window.frame={}", "window.frame: unknown key"),
        ("win.widht=1", "win.widht: unknown key; did you mean “win.width”?"),
        ("features.x=maybe", "features.x: expected a boolean, found the string \"maybe\""),
        ("features.x.y=true", "features.x: expected a boolean, found the dictionary {\"y\": true}"),
        ("limits.a=5", "limits.a: expected a dictionary, each value an integer, found the string \"5\""),
        ("plain.a=1", "plain.a: unknown key; “plain” is set as a whole"),
        ("theme.a=1", "theme.a: unknown key; “theme” is set as a whole"),
    ])
    func `a part that is none or has another type is a usage error`(setting: String, problem: String) throws {
        let prefs = PartPrefs(stack([setting]))
        let error = #expect(throws: PrefsError.self) { try prefs.storage.checkArguments() }
        #expect(error?.problems.map { "\($0.key ?? "-"): \($0.reason)" } == [problem])
        #expect(error?.exitStatus == 64)
        let arguments = ["program", "--check-config", "--set", setting]
        #expect(stack([setting]).checkConfiguration(PartPrefs.keys, arguments: arguments) == 1)
    }

    @Test(arguments: ["window.widht=1", "window.width.x=1", "plain.a=1", "theme.a=1"])
    func `a configuration rejects the same parts`(setting: String) {
        let error = #expect(throws: PrefsError.self) { try Live(Program(), stack([setting])) }
        #expect(error?.exitStatus == 64)
        let single = stack([setting])
        single.declare(Self.window)
        single.declare(PersistentKey("plain", defaultValue: [String: Int]()))
        single.declare(PersistentKey("theme", defaultValue: ""))
        #expect(throws: PrefsError.self) { try single.checkArguments() }
    }

    @Test(arguments: [
        [#"window={"height": 3}"#, "window.width=5"], ["features.x=true", #"features={"y": true}"#],
        ["features.x=true", "features.x.y=true"],
    ])
    func `a part beside the whole is a usage error`(settings: [String]) {
        let prefs = PartPrefs(stack(settings))
        let error = #expect(throws: PrefsError.self) { try prefs.storage.checkArguments() }
        #expect(
            error?.problems.first?.reason.hasSuffix("is set as a whole, too; set either that or its parts")
                == true)
        #expect(error?.exitStatus == 64)
    }

    @Test func `a locked part is not set`() throws {
        let storage = stack(
            ["window.width=5", "window.height=6", "features.x=true", "features.y=true"],
            user: ["window": ["width": 70], "features": ["x": false]],
            locking: ["window.width", "features.x"])
        let prefs = PartPrefs(storage)
        #expect(prefs.window.width == 70 && prefs.window.height == 6)
        #expect(prefs.features == ["base": true, "x": false, "y": true])
    }

    @Test func `an explanation shows the parts`() {
        let prefs = PartPrefs(stack(["window.width=5", "features.x=true"], user: ["window": ["width": 7]]))
        func rows(_ explanation: PrefsExplanation) -> [String] {
            explanation.rows.map { "\($0.field ?? "-") \($0.value) \($0.layer) \($0.role.verdict)" }
        }
        #expect(
            rows(prefs.storage.explanation(for: prefs.key(\.window))) == [
                "window.width 5 arguments effective", "window.width 7 user shadowed",
            ])
        let expected = ["- {\"x\": true} arguments effective"]
        #expect(rows(prefs.storage.explanation(for: prefs.key(\.features))) == expected)
        let description = PartPrefs.keys.first { $0.name == "features" }
        #expect(description.map { rows(prefs.storage.snapshot.explanation(for: $0)) } == expected)
        let whole = PartPrefs(stack([#"features={"x": true}"#]))
        #expect(rows(whole.storage.explanation(for: whole.key(\.features))) == expected)
    }

    @Test func `the files of a folder set parts`() {
        let values: [String: PrefsCandidate] = [
            "window.width": PrefsCandidate("5", isText: true),
            "features.x": PrefsCandidate("on", isText: true),
        ]
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer("folder", TextFolder(snapshot: PrefsSnapshot(candidates: values)))
        }
        #expect(storage.get(Self.window).width == 5)
        #expect(storage.get(Self.features) == ["base": true, "x": true])
    }
}

/// A storage of text values.
private final class TextFolder: PrefsStorage {
    let snapshot: PrefsSnapshot

    init(snapshot: PrefsSnapshot) { self.snapshot = snapshot }
}
