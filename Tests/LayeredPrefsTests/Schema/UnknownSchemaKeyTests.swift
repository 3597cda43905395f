import Foundation
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

@PrefsSchema final class UnknownKeyPrefs {
    struct Size: Codable, Sendable, Equatable {
        var width = 80
        var height = 24
    }

    @Storage var storage: PrefsStack
    @Pref var theme: String = "light"
    @Pref var window: Size = Size()
    @Pref(secret: true) var token: String?
    @PrefGroup var net: NetPrefs
}

@PrefsGroup final class NetPrefs {
    @Pref(formerly: "listen") var port: Int = 80
}

/// A schema without `@Storage`.
@PrefsSchema final class FixedWindowPrefs {
    let storage: PrefsStack
    @Pref var theme: String = "light"
    @Pref var window: UnknownKeyPrefs.Size = UnknownKeyPrefs.Size()

    init(_ storage: PrefsStack) { self.storage = storage }
}

/// A schema in a global constant, with a validation and a decoding that read the constant.
@PrefsSchema final class SharedPrefs {
    struct Entry: Codable, Sendable {
        var name = ""

        init() {}

        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            if SharedPrefs.shared.limit == 0 { name = "" }
        }
    }

    static let values = DictionaryPrefsStorage(values: ["count": 3, "entries": [["name": "a"]], "lmit": 1])
    static let reports = Recorder<String>()
    static let shared = SharedPrefs(
        PrefsStack(diagnostics: PrefsDiagnosticHandler { reports.record($0.error.key ?? "-") }) {
            PrefsLayer(.user, values)
        })

    @Storage var storage: PrefsStack
    @Pref(validate: { (count: Int) in count <= SharedPrefs.shared.limit }) var count: Int = 1
    @Pref var limit: Int = 5
    @Pref var entries: [Entry] = []
}

/// The moment when a schema's unknown keys are reported.
@Suite struct UnknownSchemaKeyTests {
    private let values = DictionaryPrefsStorage(values: ["windw": 1, "window": ["widht": 1]])
    private let reports = Recorder<String>()
    private let scheduler = VirtualScheduler()

    private func stack(_ values: DictionaryPrefsStorage) -> PrefsStack {
        PrefsStack(
            coalescing: .standard,
            diagnostics: PrefsDiagnosticHandler { [reports] in
                reports.record("\($0.error.key ?? "-"): \($0.error.reason)")
            },
            scheduler: scheduler, [PrefsLayer(.user, values)])
    }

    private static let atStart = [
        "windw: unknown key; did you mean “window”?",
        "window.widht: unknown key; did you mean “window.width”?",
    ]

    /// The actions of a program after it has created a schema, other than waiting for a second.
    enum Use: CaseIterable {
        case nothing, call, propertyThenCall, callThenProperty, snapshotThenCall, snapshot, property

        func run(
            _ prefs: some PrefsSchema, _ stack: PrefsStack, _ read: () -> Void, _ take: () -> Void
        ) {
            switch self {
            case .nothing: break
            case .call: stack.reportUnknownKeys()
            case .propertyThenCall:
                read()
                stack.reportUnknownKeys()
            case .callThenProperty:
                stack.reportUnknownKeys()
                read()
            case .snapshotThenCall:
                take()
                stack.reportUnknownKeys()
            case .snapshot: take()
            case .property: read()
            }
        }
    }

    @Test(arguments: Use.allCases)
    func `unknown keys are reported at the start and after an edit, whatever the program calls`(use: Use) {
        let stack = stack(values)
        let prefs = UnknownKeyPrefs(stack)
        use.run(prefs, stack, { _ = prefs.theme }, { _ = prefs.snapshot })
        scheduler.advance(to: .seconds(1))
        #expect(reports.elements.sorted() == Self.atStart.sorted())
        values.update { $0["thme"] = "dark" }
        #expect(reports.elements.dropFirst(2) == ["thme: unknown key; did you mean “theme”?"])
        scheduler.advance(to: .seconds(10))
        #expect(reports.elements.count == 3)
        #expect(prefs.theme == "light")
    }

    @Test(arguments: Use.allCases)
    func `a schema without a storage that it declares reports unknown keys from its first access on`(use: Use)
    {
        let stack = stack(values)
        let prefs = FixedWindowPrefs(stack)
        use.run(prefs, stack, { _ = prefs.theme }, { _ = prefs.snapshot })
        scheduler.advance(to: .seconds(2))
        let isUsed = use != .nothing && use != .call
        #expect(reports.elements.sorted() == (isUsed ? Self.atStart.sorted() : []))
    }

    @Test func `a call at once knows the names, the fields and the groups`() {
        values.update { $0["net"] = ["listen": 1, "prt": 2] }
        let stack = stack(values)
        let prefs = UnknownKeyPrefs(stack)
        stack.reportUnknownKeys()
        let others = [
            "net.listen: renamed to “net.port”", "net.prt: unknown key; did you mean “net.port”?",
        ]
        #expect(reports.elements.sorted() == (Self.atStart + others).sorted())
        #expect(stack.secrets(in: stack.snapshot).covers(PrefsPath("token")))
        #expect(prefs.net.port == 1)
    }

    @Test func `a stack that replaces another one is told the keys, whether the schema is in use or not`() {
        for isUsed in [false, true] {
            let prefs = UnknownKeyPrefs(stack(DictionaryPrefsStorage()))
            if isUsed { _ = prefs.theme }
            let before = reports.elements.count
            let other = stack(values)
            prefs.storage = other
            other.reportUnknownKeys()
            #expect(reports.elements.dropFirst(before).sorted() == Self.atStart.sorted())
        }
    }

    @Test func `two schemas of one stack do not report each other's keys`() {
        let stack = stack(values)
        let (first, second) = (UnknownKeyPrefs(stack), FixedWindowPrefs(stack))
        values.update { $0["token"] = "x" }
        scheduler.advance(to: .seconds(2))
        #expect(reports.elements.sorted() == Self.atStart.sorted())
        extendLifetime((first, second))
    }

    @Test func `arguments are checked against a schema that was only created`() throws {
        let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(.arguments, ArgumentsPrefsStorage(["--set", "thme=dark", "--set", "net.port=x"]))
        }
        let prefs = UnknownKeyPrefs(stack)
        let error = #expect(throws: PrefsError.self) { try stack.checkArguments() }
        #expect(
            error?.problems.map { "\($0.key ?? "-"): \($0.reason)" } == [
                "thme: unknown key; did you mean “theme”?",
                "net.port: expected an integer, found the string \"x\"",
            ])
        extendLifetime(prefs)
    }

    @Test
    func `a schema in a global constant may be read by its own validations and types`() async throws {
        #expect(SharedPrefs.shared.count == 3)
        #expect(SharedPrefs.shared.entries.map(\.name) == ["a"])
        try await SharedPrefs.reports.wait { $0.contains("lmit") }
    }
}
