import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import PrefsFiles
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Guarded: Codable, Sendable {
    @Setting(secret: true, required: true) var token = ""
}

/// A start with the last accepted settings.
@Suite struct LiveStartTests {
    struct Relay: Codable, Sendable, Equatable {
        @Setting(in: 1...65535) var port = 8080
        var host = "::"
        @Setting(secret: true) var token = "none"
        @Setting(in: 1...9) var level = 1
    }

    struct Plugin: Codable, Sendable {
        @Setting(in: 1...9) var size = 1
    }

    let folder: TemporaryFolder
    let engine = ManualFileEngine()

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder["etc/relay/relay.toml.d"], withIntermediateDirectories: true)
        try write("port = 9000\ntoken = \"s3cret\"\n")
        try folder.write("level = 2\n", to: "etc/relay/relay.toml.d/10-level.toml")
    }

    var state: String { folder["state"] }

    func write(_ text: String) throws { try folder.write(text, to: "etc/relay/relay.toml") }

    /// One run of the program.
    struct Run {
        let storage: PrefsStack
        let reports = Recorder<String>()

        init(_ folder: TemporaryFolder, _ engine: ManualFileEngine, environment: [String: String] = [:]) {
            var options = FilePrefsStorage.Options()
            options.watcher = FileWatcher(engine: .manual(engine), safetyPoll: nil)
            options.diagnostics = PrefsDiagnosticHandler { [reports] in
                reports.record("\($0.severity): \($0.error.key ?? "-"): \($0.error.reason)")
            }
            storage = .daemon(
                "relay", root: folder.path, environment: environment, arguments: [], options: options)
        }

        func start(_ contents: StartContents? = nil) throws -> Live<Relay> {
            try Live(Relay(), storage, startWith: contents)
        }
    }

    func run(_ environment: [String: String] = [:]) -> Run {
        Run(folder, engine, environment: environment)
    }

    func expected(port: Int = 9000, level: Int = 2, token: String = "s3cret") -> Relay {
        var relay = Relay()
        (relay.port, relay.level, relay.token) = (port, level, token)
        return relay
    }

    /// The last accepted settings. The grace period is so long that it never ends during a test on a busy machine.
    var accepted: StartContents {
        var contents = StartContents.lastAccepted(in: state)
        contents.probation = .seconds(3600)
        return contents
    }

    @Test func `a rejected value starts its layer with what was accepted`() async throws {
        #expect(try run().start(accepted).current == expected())
        try write("port = 70000\nhost = \"new\"\ntoken = \"newer\"\n")
        try folder.write("level = 3\n", to: "etc/relay/relay.toml.d/10-level.toml")
        #expect(throws: PrefsError.self) { _ = try run().start() }

        let second = run()
        let relay = try second.start(accepted)
        // The secret was not saved, so it comes from the file.
        #expect(relay.current == expected(token: "newer"))
        let reports = second.reports.elements
        #expect(
            reports.first
                == "error: port: expected 1...65535, found the integer 70000; using the last accepted version"
        )
        #expect(
            reports.last?.hasPrefix("warning: -: started with the last accepted settings, of ") == true)
        let rejection = second.storage.status.first { $0.file?.hasSuffix("relay.toml") == true }?.rejection
        #expect(rejection?.problems.map(\.key) == ["port"])

        // The file is offered again, and rejected, at every commit until it is right.
        _ = try second.storage.set(PersistentKey("host", defaultValue: ""), to: "override", in: .overrides)
        #expect(relay.current.host == "override" && relay.current.port == 9000)
        try write("port = 9001\n")
        second.storage.reload()
        #expect(relay.current.port == 9001 && relay.current.level == 3)
        #expect(second.reports.elements.last == "recovered: -: now using the new version")
    }

    @Test func `a saved height that no folder has is damage, and no crash`() throws {
        _ = try run().start(accepted)
        let file = PrefsCacheFile(
            path: state + "/last-accepted", signature: "LayeredPrefs accepted files 4", limit: 1 << 20,
            name: "it")
        let saved = try #require(try file.read())
        var root = try PrefsDocument(parsing: saved.payload, as: .binaryPropertyList).root.value
        guard case .array(var files)? = root.dictionary?["system"] else {
            return #expect(Bool(false), "nothing is saved")
        }
        files[0].insert(.integer(Int128(Int.max)), at: ["height"])
        root.insert(.array(files), at: ["system"])
        let payload = try PrefsFileFormat.binaryPropertyList.serialize(root.dictionary ?? [:])
        try file.write((payload, saved.time))
        try write("port = 70000\n")
        let second = run()
        #expect(throws: PrefsError.self) { _ = try second.start(accepted) }
        #expect(second.reports.elements.contains { $0.hasSuffix("are damaged, so they are not used") })
    }

    @Test func `all configurations of a stack save one file, without the secrets that any of them declares`()
        throws
    {
        struct Door: Codable, Sendable { @Setting(secret: true) var pin = "" }
        let text = "port = 9000\np1.size = 2\n# the back door\nback.pin = \"4711\"\nback.floor = 3\n"
        try write(text)
        let run = run()
        func saved() throws -> String? {
            let files = try AcceptedFiles(savedIn: state)
            let main = files?.layers["system"]?.last?.bytes
            return main.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        let plugins = try (0..<3).map { try Live(Plugin(), run.storage, at: "p\($0)", startWith: accepted) }
        #expect(try saved() == text)
        let door = try Live(Door(), run.storage, at: "back", startWith: accepted)
        #expect(try saved() == text.replacing("back.pin = \"4711\"\n", with: ""))
        let keeper = StartKeeper.of(run.storage, accepted)
        #expect(keeper != nil && keeper === StartKeeper.of(run.storage, accepted))
        withExtendedLifetime((plugins, door)) {}
    }

    @Test func `what is wrong with the whole at start is no file's problem`() throws {
        _ = try run().start(accepted)
        try write("port = 7\n")
        let second = run()
        let relay = try Live(Relay(), second.storage, startWith: accepted) { relay in
            if relay.port == 7 { throw PrefsError(.invalid, reason: "expected another port") }
        }
        #expect(relay.current.port == 9000)
        let errors = second.reports.elements.filter { $0.contains("expected another port") }
        let words = "rejected by a rule of the program: expected another port"
        #expect(errors == ["error: -: \(words); using the last accepted version"])
        let problems = second.storage.status.compactMap(\.rejection).flatMap(\.problems)
        #expect(!problems.isEmpty && problems.allSatisfy { $0.origin?.file == nil })
    }

    @Test func `a file that cannot be read starts its layer with what was accepted`() async throws {
        _ = try run().start(.lastAccepted(in: state, includingSecrets: true))
        try write("port = = 1\n")
        let second = run()
        let relay = try second.start(.lastAccepted(in: state, includingSecrets: true))
        #expect(relay.current == expected())
        // Another change does not make it active either.
        _ = try second.storage.set(PersistentKey("host", defaultValue: ""), to: "override", in: .overrides)
        #expect(relay.current.port == 9000 && relay.current.host == "override")
        try write("port = 9002\n")
        second.storage.reload()
        #expect(relay.current.port == 9002 && relay.current.level == 2)
    }

    @Test(arguments: [true, false])
    func `a restart is foreseen as it happens with the secrets that are saved`(savesSecrets: Bool) throws {
        let contents = StartContents.lastAccepted(in: state, includingSecrets: savesSecrets)
        let first = run()
        let live = try Live(Guarded(), first.storage, startWith: contents)
        try write("token = = 1\n")
        first.storage.reload()
        #expect(live.current.token == "s3cret")
        #expect((first.storage.restarted().used != nil) == savesSecrets)
        let second = try? Live(Guarded(), run().storage, startWith: contents)
        #expect((second != nil) == savesSecrets)
    }

    @Test func `what is accepted later is saved, privately and without secrets`() async throws {
        let first = run()
        let relay = try first.start(accepted)
        try write("port = 9003\ntoken = \"s3cret\"\n")
        first.storage.reload()
        await first.storage.settled()
        #expect(relay.current.port == 9003)
        let status = try FileManager.default.attributesOfItem(atPath: "\(state)/last-accepted")
        #expect(status[.posixPermissions] as? Int == 0o600)
        let bytes = try Data(contentsOf: URL(filePath: "\(state)/last-accepted"))
        #expect(bytes.range(of: Data("s3cret".utf8)) == nil)

        try write("port = 0\n")
        #expect(try run().start(accepted).current.port == 9003)
    }

    @Test func `a start is saved only when the program has run with its settings`() async throws {
        _ = try run().start(accepted)
        try write("port = 9001\n")
        // This program ends at once, as if it could not listen on the port.
        #expect(try run().start(accepted).current.port == 9001)
        try write("port = 70000\n")
        #expect(try run().start(accepted).current.port == 9000)

        try write("port = 9001\n")
        var contents = accepted
        contents.probation = .zero
        let file = URL(filePath: "\(state)/last-accepted")
        let before = try Data(contentsOf: file)
        let relay = try run().start(contents)
        #expect(eventually { (try? Data(contentsOf: file)) != before })
        try write("port = 70000\n")
        #expect(try run().start(accepted).current.port == 9001)
        extendLifetime(relay)
    }

    @Test func `a rejected edit is not saved`() async throws {
        let first = run()
        let relay = try first.start(accepted)
        try write("port = 70000\n")
        first.storage.reload()
        await first.storage.settled()
        #expect(relay.current.port == 9000)
        #expect(try run().start(accepted).current.port == 9000)
    }

    @Test func `what only the program had rejected is tried anew`() async throws {
        struct Taken: Error {}
        let first = run()
        let relay = try first.start(accepted)
        let observation = relay.apply(\.port) { _, _ in throw Taken() }
        try write("port = 9004\n")
        first.storage.reload()
        try await relay.applied()
        #expect(relay.current.port == 9000)
        #expect(try run().start(accepted).current.port == 9004)
        observation.cancel()
    }

    @Test func `a daemon with a state folder uses it by itself`() throws {
        let environment = ["STATE_DIRECTORY": state]
        _ = try run(environment).start()
        try write("port = \"many\"\n")
        #expect(try run(environment).start().current.port == 9000)
        #expect(throws: PrefsError.self) { _ = try run(environment).start(.files) }
    }

    @Test func `a damaged or foreign file is not used`() throws {
        _ = try run().start(accepted)
        try write("port = 0\n")
        try folder.write("nonsense", to: "state/last-accepted")
        let second = run()
        #expect(throws: PrefsError.self) { _ = try second.start(accepted) }
        #expect(
            second.reports.elements.contains(
                "warning: -: the last accepted settings are damaged, so they are not used"))
    }

    @Test func `settings that the program no longer accepts are not used`() throws {
        _ = try run().start(accepted)
        struct Newer: Codable, Sendable { @Setting(in: 1...100) var port = 80 }
        try write("port = 0\n")
        #expect(throws: PrefsError.self) {
            _ = try Live(Newer(), run().storage, startWith: accepted)
        }
    }

    @Test func `a secret that is declared later is not saved before, if its name suggests one`() throws {
        try write("port = 9000\ntoken = \"s3cret\"\nplugin.foo.size = 2\n")
        let plugin = try Live(
            Plugin(), run().storage, at: "plugin.foo", startWith: accepted)
        #expect(plugin.current.size == 2)
        let bytes = try Data(contentsOf: URL(filePath: "\(state)/last-accepted"))
        #expect(bytes.range(of: Data("s3cret".utf8)) == nil)
    }

    @Test
    func `a configuration that is created after another one was restored finds what was accepted`() throws {
        try write("port = 9000\ntoken = \"s3cret\"\nplugin.foo.size = 2\n")
        _ = try Live(Plugin(), run().storage, at: "plugin.foo", startWith: accepted)
        try write("port = 9001\ntoken = \"newer\"\nplugin.foo.size = 10\n")
        let second = run()
        let plugin = try Live(
            Plugin(), second.storage, at: "plugin.foo", startWith: accepted)
        let relay = try second.start(accepted)
        #expect(plugin.current.size == 2)
        // The secret was not saved, so it comes from the file.
        #expect(relay.current.port == 9000 && relay.current.token == "newer")
    }

    @Test func `locks that cannot be read hold for what is restored`() throws {
        _ = try run().start(accepted)
        try write("port = = 1\n")
        try folder.write("no key\n", to: "etc/relay/relay.locks")
        let second = run(["RELAY_PORT": "1", "RELAY_HOST": "h"])
        let relay = try second.start(accepted)
        #expect(relay.current.port == 9000 && relay.current.host == "h")
    }

    @Test func `restored files keep the height that locks hold against`() throws {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(engine), safetyPoll: nil)
        func start() throws -> Live<Relay> {
            let locations: [PrefsFileLocations.System] = [
                .init(path: folder["fixed/relay.toml"]),
                .init(path: folder["site/relay.toml"], honorsLocksFile: false),
            ]
            let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                PrefsLayer(.system, SystemPrefsStorage(locations: locations, options: options))
            }
            return try Live(Relay(), storage, startWith: accepted)
        }
        for name in ["fixed", "site"] {
            try FileManager.default.createDirectory(
                atPath: folder[name], withIntermediateDirectories: true)
        }
        try folder.write("port = 9000\nlevel = 2\n", to: "fixed/relay.toml")
        try folder.write("port\n", to: "fixed/relay.locks")
        try folder.write("port = 1\nhost = \"site\"\n", to: "site/relay.toml")
        let first = try start().current
        #expect(first.port == 9000 && first.host == "site")
        try folder.write("port = 9000\nlevel = 10\n", to: "fixed/relay.toml")
        #expect(try start().current == first)
    }
}
