import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// A daemon's main file that the option `--config` names.
@Suite struct NamedMainFileTests {
    private struct Relay: Codable, Sendable {
        var by = ""
        var port = 25
    }

    private let folder: TemporaryFolder
    private let engine = ManualFileEngine()
    private let reports = Recorder<String>()

    init() throws {
        folder = try TemporaryFolder()
        for (place, text) in [
            ("usr/lib/relay/relay.toml", "by = \"usr\"\nport = 1\n"), ("etc/relay/relay.toml", "port = 2\n"),
            ("named.toml", "by = \"named\"\n"),
        ] {
            try write(text, to: place)
        }
    }

    private func write(_ text: String, to place: String) throws {
        try FileManager.default.createDirectory(
            atPath: (folder[place] as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try folder.write(text, to: place)
    }

    private func open(_ arguments: [String], style: ArgumentsPrefsStorage.Style = .flags)
        -> PrefsStack
    {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(engine), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { [reports] in reports.record("\($0)") }
        return .daemon(
            "relay", root: folder.path, environment: [:], arguments: arguments, argumentsStyle: style,
            options: options)
    }

    @Test func `it replaces the main files, but no drop-ins and no locks`() throws {
        try write("port = 3\n", to: "usr/lib/relay/relay.toml.d/10-port.toml")
        try write("by\n", to: "etc/relay/relay.locks")
        let relay = try Live(Relay(), open(["--config", folder["named.toml"], "--by", "flag"]))
        #expect(relay.current.by == "named" && relay.current.port == 3)
        #expect(try Live(Relay(), open([])).current.by == "")
    }

    @Test func `an edit of it is read, and writes go to it`() throws {
        let relay = try Live(Relay(), open(["--config=\(folder["named.toml"])"]))
        try write("by = \"edited\"\n", to: "named.toml")
        relay.storage.reload()
        #expect(relay.current.by == "edited")
        try relay.storage.set(PersistentKey("port", defaultValue: 0), to: 4)
        #expect(relay.current.port == 4)
        #expect(
            try String(contentsOfFile: folder["named.toml"], encoding: .utf8) == "by = \"edited\"\nport = 4\n"
        )
    }

    @Test func `a missing one ends the start, and a link to nothing is an empty file`() throws {
        let missing = folder["missing.toml"]
        let storage = open(["--config", missing])
        let error = #expect(throws: PrefsError.self) { try Live(Relay(), storage) }
        #expect(error?.code == .missing && error?.origin?.file == missing)
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["relay", "--check-config"]) == 1)
        #expect(try Live(Relay(), open(["--config", "/dev/null"])).current.port == 25)
    }

    @Test func `if it is removed, its contents stay until there are new ones`() throws {
        let relay = try Live(Relay(), open(["--config", folder["named.toml"]]))
        try FileManager.default.removeItem(atPath: folder["named.toml"])
        for _ in 0..<2 { relay.storage.reload() }
        #expect(relay.current.by == "named")
        let file = folder["named.toml"]
        #expect(reports.elements.filter { $0.contains(file) && $0.contains("it does not exist") }.count == 1)
        try write("by = \"new\"\n", to: "named.toml")
        relay.storage.reload()
        #expect(relay.current.by == "new")
        #expect(relay.storage.status.allSatisfy { $0.problem == nil })
    }

    @Test func `the last one counts, and those after two hyphens are the program's`() throws {
        let named = folder["named.toml"]
        let arguments = ["--config=/nowhere", "--config", named, "--", "--config", "/nowhere"]
        for style in [ArgumentsPrefsStorage.Style.flags, .settings] {
            #expect(try Live(Relay(), open(arguments, style: style)).current.by == "named")
        }
    }

    @Test(arguments: [["--config"], ["--config="], ["--config", "--port", "9"]])
    func `one without a file ends the start`(arguments: [String]) throws {
        for style in [ArgumentsPrefsStorage.Style.flags, .settings] {
            let error = #expect(throws: PrefsError.self) {
                try Live(Relay(), open(arguments, style: style))
            }
            #expect(error?.exitStatus == 64)
            #expect("\(error, default: "")".contains("--config: expected a file, as in --config FILE"))
        }
    }
}
