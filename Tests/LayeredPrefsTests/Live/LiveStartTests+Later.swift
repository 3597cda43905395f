import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import PrefsFiles
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

private struct LogSection: PrefsSection, Sendable, Equatable {
    var file = "/var/log/relay"
}

private struct Logging: Codable, Sendable {
    @Setting(in: 1...65535) var port = 8080
    var log: LogSection?
    var trace: LogSection?
}

/// The effects of a start with the last accepted settings on later configurations, commits and starts.
extension LiveStartTests {
    /// Returns a stack of two layers of files, optionally with a user's file above, and its reports.
    private func site(with user: Bool = false) -> (storage: PrefsStack, reports: Recorder<String>) {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(engine), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let reports = Recorder<String>()
        let diagnostics = PrefsDiagnosticHandler { reports.record("\($0.severity): \($0.error.reason)") }
        var layers = [
            PrefsLayer("site", FilePrefsStorage(path: folder["site.toml"], options: options)),
            PrefsLayer("host", FilePrefsStorage(path: folder["host.toml"], options: options)),
        ]
        if user {
            layers.append(
                PrefsLayer(.user, FilePrefsStorage(path: folder["user.toml"], options: options)))
        }
        layers.append(.overrides)
        let storage = PrefsStack(diagnostics: diagnostics) { layers }
        return (storage, reports)
    }

    @Test func `a layer that has recovered since the start is not restored again`() throws {
        try folder.write("port = 9000\n", to: "site.toml")
        try folder.write("level = 2\n", to: "host.toml")
        _ = try Live(Relay(), site().storage, startWith: accepted)
        try folder.write("port = 70000\n", to: "site.toml")
        try folder.write("level = 10\nplugin.foo.size = 3\n", to: "host.toml")
        let (storage, _) = site()
        let relay = try Live(Relay(), storage, startWith: accepted)
        var isRejected: [Bool] { storage.status.filter { $0.file != nil }.map { $0.rejection != nil } }
        #expect(relay.current == expected(token: "none") && isRejected == [true, true])
        try folder.write("port = 9001\n", to: "site.toml")
        storage.reload()
        #expect(relay.current == expected(port: 9001, token: "none") && isRejected == [false, true])
        let plugin = try Live(Plugin(), storage, at: "plugin.foo", startWith: accepted)
        // The other layer still has its accepted contents.
        #expect(plugin.current.size == 1 && relay.current == expected(port: 9001, token: "none"))
        try folder.write("level = 3\nplugin.foo.size = 4\n", to: "host.toml")
        storage.reload()
        #expect(plugin.current.size == 4 && relay.current.level == 3 && isRejected == [false, false])
    }

    @Test func `the files of a restored layer wait until it is mended, whatever is created later`() throws {
        _ = try run().start(accepted)
        try write("port = 70000\n")
        let second = run()
        let relay = try second.start(accepted)
        try folder.write("level = 5\n", to: "etc/relay/relay.toml.d/10-level.toml")
        try folder.write("host = \"local\"\n", to: "etc/relay/relay.toml.d/90-local.toml")
        second.storage.reload()
        let started = relay.current
        #expect(started.port == 9000 && started.level != 5 && started.host != "local")
        let reports = second.reports.elements
        _ = try Live(Plugin(), second.storage, at: "plugin.foo", startWith: accepted)
        #expect(relay.current == started)
        #expect(second.reports.elements == reports)
        try write("port = 9002\n")
        second.storage.reload()
        #expect(relay.current.port == 9002 && relay.current.level == 5 && relay.current.host == "local")
    }

    @Test func `what no configuration had declared is as it was accepted`() throws {
        let text = "# The relay\nport = 9000 # of all\n\"smtp.host\" = \"mx\"\n\n[plugin.foo]\nsize = 3\n"
        try write(text)
        _ = try run().start(accepted)
        let saved = try AcceptedFiles(savedIn: state)
        #expect(saved?.layers["system"]?.last?.bytes?.bytes == Array(text.utf8))
        try write("port = 70000\nhost = \"new\"\nsmtp.host = \"other\"\n[plugin.foo]\nsize = 4\n")
        try folder.write("level = 10\nsmtp.port = 26\n", to: "etc/relay/relay.toml.d/20-new.toml")
        let second = run()
        let relay = try second.start(accepted)
        #expect(relay.current.port == 9000 && relay.current.host == "::" && relay.current.level == 2)
        #expect(second.storage.get(PersistentKey("smtp.host", defaultValue: "")) == "mx")
        #expect(second.storage.get(PersistentKey("smtp.port", defaultValue: 25)) == 25)
        let plugin = try Live(Plugin(), second.storage, at: "plugin.foo", startWith: accepted)
        #expect(plugin.current.size == 3)
    }

    @Test func `problems of what was accepted have its lines`() throws {
        try write("# The relay\n\nport = 9000\n\nplugin.foo.size = 10\n")
        _ = try run().start(accepted)
        try write("port = 70000\nplugin.foo.size = 10\n")
        let second = run()
        _ = try second.start(accepted)
        let main = folder["etc/relay/relay.toml"]
        let origin = second.storage.snapshot.candidates(for: "port").first?.origin
        #expect(origin?.file == main && origin?.position == .line(3, column: 1))
        let error = #expect(throws: PrefsError.self) {
            _ = try Live(Plugin(), second.storage, at: "plugin.foo", startWith: accepted)
        }
        let place = error?.problems.first?.origin
        #expect(place?.file == main && place?.position == .line(5, column: 12))
    }

    /// Creates a drop-in of a package. Returns functions that mask and unmask it as the administrator does.
    private func vendor() throws -> (mask: () throws -> Void, unmask: () throws -> Void) {
        let folders = ["usr/lib/relay/relay.toml.d", "etc/relay/relay.toml.d"].map { folder[$0] }
        for path in folders {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try folder.write("host = \"vendor\"\n", to: "usr/lib/relay/relay.toml.d/20-host.toml")
        let mask = "\(folders[1])/20-host.toml"
        return (
            { try FileManager.default.createSymbolicLink(atPath: mask, withDestinationPath: "/dev/null") },
            { try FileManager.default.removeItem(atPath: mask) }
        )
    }

    @Test(arguments: [true, false])
    func `a drop-in stays masked or active as it was when it was accepted`(isMasked: Bool) throws {
        let (mask, unmask) = try vendor()
        if isMasked { try mask() }
        let host = isMasked ? "::" : "vendor"
        #expect(try run().start(accepted).current.host == host)
        if isMasked { try unmask() } else { try mask() }
        try write("port = 70000\n")
        let second = run()
        let relay = try second.start(accepted)
        #expect(relay.current.host == host && relay.current.port == 9000)
        try write("port = 9001\n")
        second.storage.reload()
        #expect(relay.current.host == (isMasked ? "vendor" : "::") && relay.current.port == 9001)
    }

    @Test func `a main file that masks that of the package is saved as a mask`() throws {
        try FileManager.default.createDirectory(
            atPath: folder["usr/lib/relay"], withIntermediateDirectories: true)
        try folder.write("host = \"vendor\"\n", to: "usr/lib/relay/relay.toml")
        try write("")
        let before = try run().start(accepted).current
        #expect(before == expected(port: 8080, token: "none"))
        try FileManager.default.removeItem(atPath: folder["etc/relay/relay.toml"])
        try folder.write("level = 10\n", to: "etc/relay/relay.toml.d/10-level.toml")
        #expect(try run().start(accepted).current == before)
    }

    @Test func `a layer with a secret that cannot be removed is not saved, which is reported once`()
        async throws
    {
        try folder.write("port = 9000\n", to: "site.toml")
        try folder.write("# was s3cret-7000\ntoken = \"s3cret-7000\"\nlevel = 2\n", to: "host.toml")
        let (storage, reports) = site()
        let relay = try Live(Relay(), storage, startWith: accepted)
        try folder.write("# was s3cret-7000\ntoken = \"s3cret-7000\"\nlevel = 3\n", to: "host.toml")
        storage.reload()
        await storage.settled()
        #expect(relay.current.level == 3)
        let warnings = reports.elements.filter { $0.hasPrefix("warning: not saved for the next start") }
        #expect(warnings.count == 1, "\(reports.elements)")
        let saved = try AcceptedFiles(savedIn: state)
        #expect(saved?.layers.keys.sorted() == ["site"])
        let bytes = try Data(contentsOf: URL(filePath: "\(state)/last-accepted"))
        #expect(bytes.range(of: Data("s3cret".utf8)) == nil)
        try folder.write("port = 0\n", to: "site.toml")
        #expect(try Live(Relay(), site().storage, startWith: accepted).current.port == 9000)
        try folder.write("level = 0\n", to: "host.toml")
        #expect(throws: PrefsError.self) { _ = try Live(Relay(), site().storage, startWith: accepted) }
    }

    @Test func `a failure to save is reported once, and so is the recovery`() async throws {
        try folder.write("no folder", to: "state")
        let first = run()
        let relay = try first.start(accepted)
        for port in [9001, 9002] {
            try write("port = \(port)\n")
            first.storage.reload()
            await first.storage.settled()
        }
        func reports(_ words: String) -> Int { first.reports.elements.count { $0.contains(words) } }
        #expect(reports("cannot create the last accepted settings") == 1, "\(first.reports.elements)")
        try FileManager.default.removeItem(atPath: state)
        try write("port = 9003\n")
        first.storage.reload()
        await first.storage.settled()
        #expect(reports("the accepted settings are saved again") == 1, "\(first.reports.elements)")
        try write("port = 0\n")
        #expect(try run().start(accepted).current.port == 9003 && relay.current.port == 9003)
    }

    @Test func `what an earlier version of the library saved is not used, and is no error`() throws {
        let old = PrefsCacheFile(
            path: "\(state)/last-accepted", signature: "LayeredPrefs accepted files 3", limit: 100, name: "it"
        )
        try old.write(([1], 7))
        let first = run()
        #expect(try first.start(accepted).current == expected())
        let words = "were written by another version of this library, so they are not used"
        #expect(first.reports.elements == ["warning: -: the last accepted settings \(words)"])
        try write("port = 0\n")
        #expect(try run().start(accepted).current.port == 9000)
    }

    @Test func `sections are there or absent as they were accepted`() throws {
        try write("port = 9000\n[log]\n")
        _ = try Live(Logging(), run().storage, startWith: accepted)
        for text in [
            "port = 0\n[trace]\n", "port = 0\nlog = 7\ntrace.file = \"/t\"\n",
            "port = 0\n\"trace.file\" = \"/t\"\n",
        ] {
            try write(text)
            let logging = try Live(Logging(), run().storage, startWith: accepted).current
            #expect(logging.port == 9000 && logging.log == LogSection() && logging.trace == nil, "\(text)")
        }
    }

    @Test func `what is rejected of other layers stays rejected when a layer is restored`() async throws {
        try folder.write("plugin.foo.size = 2\n", to: "host.toml")
        _ = try Live(Plugin(), site().storage, at: "plugin.foo", startWith: accepted)
        try folder.write("port = 9000\n", to: "user.toml")
        let (storage, reports) = site(with: true)
        let relay = try Live(Relay(), storage, startWith: .files)
        try folder.write("port = 70000\n", to: "user.toml")
        try folder.write("plugin.foo.size = 10\n", to: "host.toml")
        storage.reload()
        await storage.settled()
        let before = storage.status.first { $0.layer == "user" }?.rejection
        let plugin = try Live(Plugin(), storage, at: "plugin.foo", startWith: accepted)
        #expect(plugin.current.size == 2 && relay.current.port == 9000)
        await storage.settled()
        #expect(before != nil && storage.status.first { $0.layer == "user" }?.rejection == before)
        #expect(reports.elements.filter { $0.hasPrefix("recovered") } == [])
    }

    @Test func `a closure hears of what is restored after it was registered`() async throws {
        try write("port = 9000\nplugin.foo.size = 2\n")
        var contents = accepted
        contents.probation = .zero
        let first = run()
        let lives = (
            try Live(Plugin(), first.storage, at: "plugin.foo", startWith: contents),
            try first.start(contents)
        )
        let saved = try AcceptedFiles(savedIn: state)
        #expect(saved?.layers.keys.sorted() == ["system"])
        extendLifetime(lives)
        try write("port = 70000\nplugin.foo.size = 3\n")
        let second = run()
        let plugin = try Live(Plugin(), second.storage, at: "plugin.foo", startWith: accepted)
        #expect(plugin.current.size == 3)
        let sizes = Recorder<Int>()
        let observation = plugin.apply(\.size) { _, new in sizes.record(new) }
        _ = try second.start(accepted)
        #expect(plugin.current.size == 2)
        try await plugin.applied()
        #expect(sizes.elements == [2])
        observation.cancel()
    }

    @Test func `what a rule rejected is judged again when a layer is restored`() throws {
        _ = try run().start(accepted)
        try write("port = 70000\nhost = \"new\"\n")
        let second = run()
        let key = PersistentKey("host", defaultValue: "::")
        let level = PersistentKey("level", defaultValue: 1)
        second.storage.constrain(key, level) { host, level in
            host == "new" && level == 2 ? "expected another level" : nil
        }
        #expect(second.reports.elements.contains { $0.contains("expected another level") })
        let relay = try second.start(accepted)
        #expect(relay.current == expected(token: "none"))
    }

    @Test func `secrets that are missing since the start are named`() throws {
        let text =
            "started without the secret token, because secrets are not saved with the accepted settings"
        func errors(_ run: Run) -> [String] {
            run.reports.elements.filter { $0.contains("started without the secret") }
        }
        _ = try run().start(accepted)
        try write("port = = 1\ntoken = \"s3cret\"\n")
        let second = run()
        #expect(try second.start(accepted).current == expected(token: "none"))
        #expect(errors(second).count == 1 && errors(second)[0].hasPrefix("error: token: \(text)"))

        // A readable file contains its secret, and a higher layer may contain it, too.
        try write("port = 70000\ntoken = \"newer\"\n")
        let third = run()
        #expect(try third.start(accepted).current.token == "newer" && errors(third).isEmpty)
        try write("port = = 1\n")
        let fourth = run(["RELAY_TOKEN": "variable"])
        #expect(try fourth.start(accepted).current.token == "variable" && errors(fourth).isEmpty)
        let fifth = run()
        let all = StartContents.lastAccepted(in: state, includingSecrets: true)
        #expect(try fifth.start(all).current.token == "none" && errors(fifth).count == 1)
    }

    @Test func `missing secrets are named again at the start after a run without them`() throws {
        _ = try run().start(accepted)
        try write("port = = 1\n")
        let second = run()
        let relay = try second.start(accepted)
        // The same contents are saved when the program has run for a while.
        let storage = second.storage
        let saved = try #require(try AcceptedFiles(savedIn: state))
        let (next, _) = storage.acceptedFiles(in: storage.snapshot, hidingSecrets: true, after: saved)
        #expect(next.layers == saved.layers && storage.missingSecrets(of: "system", in: next) == ["token"])
        try write("port = 9001\n")
        storage.reload()
        let (last, _) = storage.acceptedFiles(in: storage.snapshot, hidingSecrets: true, after: next)
        #expect(relay.current.port == 9001 && storage.missingSecrets(of: "system", in: last) == [])
    }

    @Test func `secrets are missing only if they were accepted and not saved`() throws {
        try write("port = 9000\n")
        _ = try run().start(accepted)
        try write("port = = 1\n")
        let second = run()
        #expect(try second.start(accepted).current.port == 9000)
        try FileManager.default.removeItem(atPath: state)
        try write("port = 9000\ntoken = \"s3cret\"\n")
        let all = StartContents.lastAccepted(in: state, includingSecrets: true)
        _ = try run().start(all)
        try write("port = = 1\n")
        let third = run()
        #expect(try third.start(all).current == expected())
        let reports = second.reports.elements + third.reports.elements
        #expect(!reports.contains { $0.contains("started without the secret") })
    }

    @Test func `a secret that is declared after a commit is not saved with it`() throws {
        let storage = run().storage
        let before = storage.snapshot
        storage.note([PrefsKeyName("token", isSecret: true), "port"])
        let (files, _) = storage.acceptedFiles(in: before, hidingSecrets: true, after: AcceptedFiles())
        let main = files.layers["system"]?.last
        #expect(main?.bytes?.bytes == Array("port = 9000\n".utf8) && main?.removed == ["token"])
    }

    @Test func `a commit that changes no file does not save what has not proved itself`() async throws {
        _ = try run().start(accepted)
        try write("port = 9001\n")
        let second = run()
        let relay = try second.start(accepted)
        _ = try second.storage.set(PersistentKey("host", defaultValue: ""), to: "override", in: .overrides)
        await second.storage.settled()
        try write("port = 70000\n")
        #expect(try run().start(accepted).current.port == 9000)
        // An edit that the running program accepts is saved.
        try write("port = 9002\n")
        second.storage.reload()
        await second.storage.settled()
        #expect(relay.current.port == 9002)
        try write("port = 70000\n")
        #expect(try run().start(accepted).current.port == 9002)
    }

    @Test func `a configuration that throws leaves the stack as its files are`() throws {
        _ = try run().start(accepted)
        struct Newer: Codable, Sendable {
            @Setting(in: 1...100) var port = 80
            var level = 1
        }
        try write("port = 0\n")
        try folder.write("level = 3\n", to: "etc/relay/relay.toml.d/10-level.toml")
        let second = run()
        #expect(throws: PrefsError.self) { _ = try Live(Newer(), second.storage, startWith: accepted) }
        #expect(second.storage.value(forKey: "level") == 3 && second.storage.rejections.isEmpty)
    }

    @Test func `a broken file of a layer that is not saved prevents the start`() throws {
        try folder.write("port = 9000\n", to: "site.toml")
        _ = try Live(Relay(), site(with: true).storage, startWith: accepted)
        try folder.write("port = 70000\n", to: "site.toml")
        try folder.write("port = = 1\n", to: "user.toml")
        let storage = site(with: true).storage
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage, startWith: accepted) }
        #expect(error?.problems.map(\.origin?.layer).contains("user") == true)
        #expect(storage.rejections.flatMap(\.problems).map(\.origin?.layer) == ["user"])
    }

    @Test func `a file that cannot be read is reported once, and is no problem of a later configuration`()
        throws
    {
        _ = try run().start(accepted)
        try write("port = = 1\n")
        let second = run()
        let relay = try second.start(accepted)
        let plugin = try Live(Plugin(), second.storage, at: "plugin.foo", startWith: accepted)
        #expect(second.reports.elements.count { $0.contains("started with the ") } == 1)
        try write("port = 9002\nplugin.foo.size = 4\n")
        second.storage.reload()
        #expect(relay.current.port == 9002 && plugin.current.size == 4 && second.storage.rejections.isEmpty)
    }

    @Test func `of two formats of one file, neither is put in force after the start`() throws {
        _ = try run().start(accepted)
        try write("port = 1\n")
        try folder.write("{\"port\": 2}", to: "etc/relay/relay.json")
        let second = run()
        let relay = try second.start(accepted)
        #expect(relay.current.port == 9000)
        _ = try second.storage.set(PersistentKey("host", defaultValue: ""), to: "override", in: .overrides)
        second.storage.reload()
        #expect(relay.current.port == 9000 && relay.current.host == "override")
        try FileManager.default.removeItem(atPath: folder["etc/relay/relay.json"])
        second.storage.reload()
        #expect(relay.current.port == 1)
    }

    @Test func `the settings of another program in the same folder are not used`() throws {
        _ = try run().start(accepted)
        try folder.write("port = 0\n", to: "hub.toml")
        let reports = Recorder<String>()
        let storage = PrefsStack(
            diagnostics: PrefsDiagnosticHandler { reports.record("\($0.severity): \($0.error.reason)") }
        ) {
            PrefsLayer(.system, FilePrefsStorage(path: folder["hub.toml"]))
        }
        #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage, startWith: accepted) }
        #expect(
            reports.elements.contains {
                $0.hasPrefix("warning: the last accepted settings belong to other")
            })
    }

    @Test func `a layer without files keeps its values`() throws {
        func start(_ level: PrefsValue) throws -> Relay {
            let values: [String: PrefsValue] = ["port": 1, "level": level]
            let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                PrefsLayer(
                    "memory", DictionaryPrefsStorage(values: values), rejectionScope: .source)
                PrefsLayer("site", FilePrefsStorage(path: folder["site.toml"]))
            }
            return try Live(Relay(), storage, startWith: accepted).current
        }
        try folder.write("port = 9000\n", to: "site.toml")
        #expect(try start(3).level == 3)
        try folder.write("port = 0\n", to: "site.toml")
        #expect(try start(3) == expected(level: 3, token: "none"))
        #expect(throws: PrefsError.self) { _ = try start("high") }
    }
}
