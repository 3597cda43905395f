import LayeredPrefsTesting
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// Former names of keys in the files of one layer.
@Suite struct FormerNamesTests {
    private let sandbox: PrefsSandbox
    private let reports = Recorder<String>()
    private let key = PersistentKey("renamed", defaultValue: 0, .formerly("oldname"))

    init() throws { sandbox = try PrefsSandbox() }

    private func open() -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { [reports, sandbox] in
            reports.record("\($0.error)".replacing(sandbox.root, with: ""))
        }
        let storage = PrefsStack.daemon(
            "relay", root: sandbox.root, environment: [:], arguments: [], options: options)
        storage.declare([PrefsKeyDescription(key)])
        return storage
    }

    private func write(_ text: String, to path: String) throws {
        try sandbox.write(text, to: sandbox.root + path)
    }

    @Test(arguments: [
        ("oldname = 7\n", "renamed = 1\n", 7), ("renamed = 7\n", "oldname = 1\n", 7),
        ("oldname = 7\nrenamed = 8\n", "renamed = 1\n", 8), ("other = 7\n", "oldname = 1\n", 1),
    ])
    func `the higher file of a layer wins, whatever name it has`(high: String, low: String, value: Int) throws
    {
        try write(low, to: "/usr/lib/relay/relay.toml")
        try write(high, to: "/etc/relay/relay.toml.d/50-admin.toml")
        let storage = open()
        #expect(storage.get(key) == value)
        #expect(storage.resolution(for: key).value == value)
    }

    @Test func `one warning names both files and both names, and the explanation has both`() async throws {
        let (low, high) = ("/usr/lib/relay/relay.toml", "/etc/relay/relay.toml.d/50-admin.toml")
        try write("renamed = 1\n", to: low)
        try write("oldname = 7\n", to: high)
        let storage = open()
        storage.reportUnknownKeys()
        #expect(
            reports.elements == [
                "system \(high):1:1: oldname: renamed to “renamed”; overrides “renamed” of \(low):1:1"
            ])
        let rows = storage.explanation(for: key).rows
        #expect(rows.map(\.value) == [7, 1])
        #expect(rows.map(\.origin.spelling) == ["oldname", "renamed"])
        #expect(rows.map(\.role) == [.winner, .shadowed])
    }

    @Test func `a former name that a higher file overrides is named with that`() async throws {
        let (low, high) = ("/usr/lib/relay/relay.toml", "/etc/relay/relay.toml.d/50-admin.toml")
        try write("oldname = 1\n", to: low)
        let storage = open()
        storage.reportUnknownKeys()
        try write("renamed = 7\n", to: high)
        storage.reload()
        await storage.settled()
        storage.reload()
        await storage.settled()
        #expect(storage.get(key) == 7)
        #expect(
            reports.elements == [
                "system \(low):1:1: oldname: renamed to “renamed”",
                "system \(low):1:1: oldname: renamed to “renamed”; overridden by “renamed” of \(high):1:1",
            ])
    }
}
