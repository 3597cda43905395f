import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Limits: Codable, Sendable {
    var low = 0
    var high = 100
}

private struct TLS: PrefsSection {
    var certificate = ""
    @Setting(required: true) var key = ""
}

private struct Relay: Codable, Sendable {
    @Setting(in: 1...100) var limit = 10
    var routes: [String: String] = [:]
    var limits = Limits()
    var tls: TLS?
}

/// Problems of a configuration as a whole name the place to change, and each is reported once.
@Suite struct ProblemPlaceTests {
    private let folder: TemporaryFolder
    private let engine = ManualFileEngine()
    private let reports = Recorder<String>()
    private let storage: PrefsStack

    private var main: String { folder["etc/relay/relay.toml"] }
    private var dropIn: String { folder["etc/relay/relay.toml.d/50.toml"] }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder["etc/relay/relay.toml.d"], withIntermediateDirectories: true)
        try folder.write("limit = 20\n", to: "etc/relay/relay.toml")
        try folder.write("# Nothing yet.\n", to: "etc/relay/relay.toml.d/50.toml")
        storage = Self.stack(folder, engine, PrefsDiagnosticHandler { [reports] in reports.record("\($0)") })
    }

    private static func stack(
        _ folder: TemporaryFolder, _ engine: ManualFileEngine, _ diagnostics: PrefsDiagnosticHandler,
        _ environment: [String: String] = [:], arguments: [String] = []
    ) -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(engine), safetyPoll: nil)
        options.diagnostics = diagnostics
        return .daemon(
            "relay", root: folder.path, environment: environment, arguments: arguments, options: options)
    }

    private func start(_ storage: PrefsStack? = nil) throws -> Live<Relay> {
        try Live(Relay(), storage ?? self.storage) { relay in
            if relay.routes["b"] == "nowhere" {
                throw PrefsError(.invalid, key: "routes.b", reason: "no such upstream")
            }
            if relay.limits.low > relay.limits.high {
                throw PrefsError(.invalid, key: "limits", reason: "low exceeds high")
            }
            if relay.limit == 13 { throw PrefsError(.invalid, key: "limit", reason: "unlucky") }
            if relay.limit == 14, relay.routes["c"] != nil { throw PrefsError(.invalid, reason: "too much") }
        }
    }

    private func edit(main text: String? = nil, dropIn other: String? = nil) async throws {
        if let text { try folder.write(text, to: "etc/relay/relay.toml") }
        if let other { try folder.write(other, to: "etc/relay/relay.toml.d/50.toml") }
        await storage.reloadAndSettle()
    }

    @Test(arguments: [
        ("limit = 13\n", "1:1: limit: rejected by a rule of the program: unlucky"),
        (
            "limit = 20\n\n[routes]\nb = \"nowhere\"\n",
            "4:1: routes.b: rejected by a rule of the program: no such upstream"
        ),
        (
            "limit = 20\n\n[limits]\nlow = 200\n",
            "3:2: limits: rejected by a rule of the program: low exceeds high"
        ),
        (
            "limit = 20\n\n[tls]\ncertificate = \"c\"\n",
            "3:2: tls.key: a value is required; set it in MAIN, or in the variable RELAY_TLS_KEY"
        ),
    ])
    func `a problem of the whole has the place of its key`(text: String, problem: String) async throws {
        let relay = try start()
        try await edit(main: text)
        let expected = "system \(main):\(problem.replacing("MAIN", with: main))"
        #expect(reports.elements == ["error: \(expected); keeping the previous version"])
        #expect(storage.rejections.flatMap(\.problems).map { "\($0)" } == [expected])
        #expect(relay.current.limit == 20)
        // A start reports the same problem.
        let next = Self.stack(folder, engine, PrefsDiagnosticHandler { _ in })
        let error = #expect(throws: PrefsError.self) { _ = try start(next) }
        #expect(error?.problems.map { "\($0)" } == [expected])
    }

    @Test func `the key of a problem may be relative to the configuration`() async throws {
        let limits = try Live(Limits(), storage, at: "limits") { limits in
            if limits.low > limits.high { throw PrefsError(.invalid, key: "low", reason: "low exceeds high") }
        }
        try await edit(main: "limit = 20\nlimits.low = 200\n")
        #expect(
            reports.elements.filter { $0.hasPrefix("error") } == [
                "error: system \(main):2:8: limits.low: rejected by a rule of the program: low exceeds high; "
                    + "keeping the previous version"
            ])
        #expect(limits.current.low == 0)
    }

    @Test func `what is required names the file that would set it`() throws {
        struct Needy: Codable, Sendable { @Setting(required: true) var token = "" }
        let error = #expect(throws: PrefsError.self) { _ = try Live(Needy(), storage) }
        #expect(
            error?.reason
                == "a value is required; set it in \(main), or in the variable RELAY_TOKEN")
        try FileManager.default.removeItem(atPath: main)
        // A new main file would hide the vendor's.
        let next = Self.stack(folder, engine, PrefsDiagnosticHandler { _ in })
        let other = #expect(throws: PrefsError.self) { _ = try Live(Needy(), next) }
        #expect(other?.reason.contains("set it in \(main).d/90-local.toml, or") == true)
    }

    @Test func `one problem of several files is one report and one entry`() async throws {
        let relay = try start()
        try await edit(main: "limit = 14\n", dropIn: "routes.c = \"/\"\n")
        #expect(
            reports.elements == [
                "error: system \(main): rejected by a rule of the program: too much; "
                    + "keeping the previous version, also of \(dropIn)"
            ])
        let rejection = try #require(storage.rejections.first)
        #expect(storage.rejections.count == 1)
        #expect(rejection.files == [main, dropIn])
        #expect(
            rejection.problems.map { "\($0)" } == [
                "system \(main): rejected by a rule of the program: too much"
            ])
        #expect(relay.current.limit == 20)
        try await edit(main: "limit = 15\n")
        #expect(storage.rejections.isEmpty && relay.current.routes == ["c": "/"])
    }

    @Test func `a good edit that is held back by a wrong one is named with it`() async throws {
        let relay = try start()
        try await edit(main: "limit = 30\n", dropIn: "limit = 700\n")
        #expect(
            reports.elements == [
                "error: system \(dropIn):1:1: limit: expected 1...100, found the integer 700; "
                    + "keeping the previous version, also of \(main)"
            ])
        #expect(storage.rejections.count == 1)
        #expect(storage.rejections.first.map { Set($0.files) } == [main, dropIn])
        #expect(relay.current.limit == 20)
        try await edit(dropIn: "limits.high = 99\n")
        #expect(relay.current.limit == 30 && storage.rejections.isEmpty)
    }

    @Test func `the problems of all configurations of a stack are listed`() async throws {
        struct Plugin: Codable, Sendable { var size = 1 }
        let plugin = try Live(Plugin(), storage, at: "plugin") { plugin in
            if plugin.size == 7 { throw PrefsError(.invalid, key: "plugin.size", reason: "no seven") }
        }
        let relay = try start()
        try await edit(main: "limit = 13\nplugin.size = 7\n")
        #expect(
            Set(storage.rejections.flatMap(\.problems).map { "\($0)" }) == [
                "system \(main):1:1: limit: rejected by a rule of the program: unlucky",
                "system \(main):2:8: plugin.size: rejected by a rule of the program: no seven",
            ])
        #expect(relay.current.limit == 20 && plugin.current.size == 1)
    }

    @Test func `a wrong value of one configuration and a broken rule of another are listed together`()
        async throws
    {
        struct Plugin: Codable, Sendable { var size = 1 }
        let plugin = try Live(Plugin(), storage, at: "plugin") { plugin in
            if plugin.size == 7 { throw PrefsError(.invalid, key: "plugin.size", reason: "no seven") }
        }
        let relay = try start()
        let expected = [
            "system \(main):1:1: limit: expected 1...100, found the integer 700",
            "system \(main):2:8: plugin.size: rejected by a rule of the program: no seven",
        ]
        try await edit(main: "limit = 700\nplugin.size = 7\n")
        #expect(storage.rejections.flatMap(\.problems).map { "\($0)" } == expected)
        #expect(reports.elements == expected.map { "error: \($0); keeping the previous version" })
        #expect(relay.current.limit == 20 && plugin.current.size == 1)
        // The plugin's value is wrong without the other one, too.
        try await edit(main: "limit = 7\nplugin.size = 7\n")
        #expect(storage.rejections.flatMap(\.problems).map(\.key) == ["plugin.size"])
        try await edit(main: "limit = 7\nplugin.size = 8\n")
        #expect(storage.rejections.isEmpty && relay.current.limit == 7 && plugin.current.size == 8)
        let write = #expect(throws: PrefsError.self) {
            try storage.transaction {
                $0.setValue(700, forKey: "limit")
                $0.setValue(7, forKey: "plugin.size")
            }
        }
        #expect(write?.problems.map(\.key) == ["limit", "plugin.size"])
    }

    @Test(arguments: ["", "plugin."])
    func `the problem of a section that decodes itself has the place of what is set in it`(prefix: String)
        throws
    {
        struct Pair: Codable, Sendable {
            var low = 0
            var high = 9
            init() {}
            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: CodingKeys.self)
                (low, high) = try (
                    fields.decode(Int.self, forKey: .low), fields.decode(Int.self, forKey: .high)
                )
                if low > high { throw PrefsError(.invalid, reason: "low exceeds high") }
            }
        }
        struct Plugin: Codable, Sendable { var pair = Pair() }
        try folder.write("# One.\n\(prefix)pair.low = 10\n", to: "etc/relay/relay.toml")
        let path = String(prefix.dropLast())
        let storage = Self.stack(folder, engine, PrefsDiagnosticHandler { _ in })
        let error = #expect(throws: PrefsError.self) { _ = try Live(Plugin(), storage, at: path) }
        let file = "system \(main):2:\(prefix.count + 1)"
        #expect(
            error.map { "\($0)".hasPrefix("\(file): \(prefix)pair: expected a valid Pair (") } == true,
            "\(error)")
        try folder.write("", to: "etc/relay/relay.toml")
        let variable = Self.stack(
            folder, engine, PrefsDiagnosticHandler { _ in },
            ["RELAY_\(prefix.uppercased())PAIR_LOW".replacing(".", with: "_"): "11"])
        let other = #expect(throws: PrefsError.self) { _ = try Live(Plugin(), variable, at: path) }
        #expect(other?.origin?.layer == "environment")
    }

    @Test func `the key of a default that is not valid begins with no dot`() throws {
        struct Odd: Codable, Sendable {
            @Setting(in: 1...9) var size = 0
            var inner = Inner()
        }
        struct Inner: Codable, Sendable { @Setting(in: 1...9) var size = 1 }
        var deep = Odd()
        (deep.size, deep.inner.size) = (1, 0)
        for (odd, path, key) in [(Odd(), "", "size"), (deep, "", "inner.size"), (deep, "a", "a.inner.size")] {
            let error = #expect(throws: PrefsError.self) { _ = try Live(odd, storage, at: path) }
            #expect(error?.key == key)
        }
    }

    @Test func `a layer that is named after its file is named once`() throws {
        let path = try folder.write("limit = 700\n", to: "own.toml")
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(PrefsLayer.Name(path), FilePrefsStorage(path: path))
        }
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), storage) }
        #expect(error.map { "\($0)" } == "\(path):1:1: limit: expected 1...100, found the integer 700")
    }

    // MARK: - Messages at a start

    /// Returns a stack over a broken file, without a subscriber of diagnostics, as in a program without a logger.
    private func unheard(_ diagnostics: PrefsDiagnosticHandler) throws -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(engine), safetyPoll: nil)
        options.diagnostics = diagnostics
        let path = try folder.write("limit = \"18\n", to: "own.toml")
        return PrefsStack(diagnostics: diagnostics) {
            PrefsLayer("own", FilePrefsStorage(path: path, options: options))
        }
    }

    @Test(arguments: [true, false])
    func `a broken file is thrown or printed, and not both`(isPreset: Bool) throws {
        let diagnostics = PrefsDiagnosticHandler()
        try folder.write("limit = \"18\n", to: "etc/relay/relay.toml")
        let storage = isPreset ? Self.stack(folder, engine, diagnostics) : try unheard(diagnostics)
        let error = try #require(#expect(throws: PrefsError.self) { _ = try start(storage) })
        diagnostics.printAll()
        #expect(!diagnostics.hasPrinted(error))
        // Without a configuration, the error is printed.
        let others = PrefsDiagnosticHandler()
        let other = isPreset ? Self.stack(folder, engine, others) : try unheard(others)
        others.printAll()
        #expect(others.hasPrinted(error))
        withExtendedLifetime(other) {}
    }

    @Test func `a broken file of a stack that is built by hand names its layer at the start`() throws {
        let storage = try unheard(PrefsDiagnosticHandler { [reports] in reports.record("\($0)") })
        #expect(reports.elements.count == 1)
        #expect(reports.elements[0].hasPrefix("error: own \(folder["own.toml"]):1:"), "\(reports.elements)")
        withExtendedLifetime(storage) {}
        // A logger that is created after the storage receives it, too.
        let (diagnostics, heard) = (PrefsDiagnosticHandler(), Recorder<String>())
        let later = try unheard(diagnostics)
        heard.keep(diagnostics.subscribe { heard.record("\($0)") })
        #expect(heard.elements == reports.elements)
        withExtendedLifetime(later) {}
    }

    @Test func `a program that reads its configuration once hears of unknown keys`() throws {
        try folder.write("limit = 20\nlimt = 3\nplugin.size = 2\n", to: "etc/relay/relay.toml")
        storage.reload()
        struct Plugin: Codable, Sendable { var size = 1 }
        #expect(try Live(Plugin(), storage, at: "plugin").current.size == 2)
        #expect(reports.elements.isEmpty)
        #expect(try start().current.limit == 20)
        #expect(
            reports.elements == ["warning: system \(main):2:1: limt: unknown key; did you mean “limit”?"])
        #expect(try start().current.limit == 20)
        #expect(reports.elements.count == 1)
    }

    @Test func `the problem of a rule has its line, although the program starts with what was accepted`()
        throws
    {
        let contents = StartContents.lastAccepted(in: folder["state"])
        #expect(self.told([], contents).isEmpty)
        try folder.write("\nlimit = 13\n", to: "etc/relay/relay.toml")
        let next = Recorder<String>()
        let told = "system \(main):2:1: limit: rejected by a rule of the program: unlucky"
        let storage = Self.stack(folder, engine, PrefsDiagnosticHandler { next.record("\($0)") })
        let relay = try Live(Relay(), storage, startWith: contents) { relay in
            if relay.limit == 13 { throw PrefsError(.invalid, key: "limit", reason: "unlucky") }
        }
        #expect(relay.current.limit == 20)
        #expect(next.elements.contains("error: \(told); using the last accepted version"), "\(next.elements)")
        #expect(storage.rejections.flatMap(\.problems).map { "\($0)" } == [told])
    }

    /// Returns the messages of a program whose logger is created after its storage.
    private func told(_ arguments: [String] = [], _ contents: StartContents? = nil) -> [String] {
        let (diagnostics, told) = (PrefsDiagnosticHandler.held(), Recorder<String>())
        let storage = Self.stack(folder, engine, diagnostics, arguments: arguments)
        do {
            let relay = try Live(Relay(), storage, startWith: contents)
            withExtendedLifetime(relay) {}
        } catch {
            for problem in (error as? PrefsError)?.problems ?? [] { told.record("error: \(problem)") }
        }
        told.keep(diagnostics.subscribe { told.record("\($0)") })
        return told.elements
    }

    @Test func `a named file that does not exist is told once`() throws {
        let missing = folder["nowhere.toml"]
        let told = told(["--config", missing])
        #expect(told.count == 1 && told.first?.contains(missing) == true, "\(told)")
    }

    @Test func `a broken file is told once, with its layer, with what the program starts instead`() throws {
        let contents = StartContents.lastAccepted(in: folder["state"])
        #expect(self.told([], contents).isEmpty)
        try folder.write("limit = \"18\n", to: "etc/relay/relay.toml")
        let told = told([], contents)
        #expect(told.count == 2, "\(told)")
        #expect(told.first?.hasPrefix("error: system \(main):1:") == true)
        #expect(
            told.last?.hasPrefix("warning: system: started with the last accepted settings, of ") == true
        )
    }

    @Test func `a file that becomes broken names its layer`() async throws {
        let relay = try start()
        try await edit(main: "limit = \"18\n")
        #expect(reports.elements.count == 1)
        #expect(reports.elements.first?.hasPrefix("error: system \(main):1:") == true)
        try await edit(main: "limit = 18\n")
        #expect(reports.elements.last == "recovered: system \(main): readable again")
        #expect(relay.current.limit == 18)
    }

    @Test func `a main file that is removed is a warning, although the package has one`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder["usr/lib/relay"], withIntermediateDirectories: true)
        try folder.write("limit = 5\n", to: "usr/lib/relay/relay.toml")
        await storage.reloadAndSettle()
        let relay = try start()
        try FileManager.default.removeItem(atPath: main)
        await storage.reloadAndSettle()
        #expect(relay.current.limit == 5)
        #expect(
            reports.elements == [
                "warning: system \(main): the file was removed; these keys fall back to lower layers, or to their defaults: limit"
            ])
    }

    @Test func `a dictionary in a variable is spelt as JSON`() throws {
        let storage = Self.stack(folder, engine, PrefsDiagnosticHandler { _ in }, ["RELAY_ROUTES": "/a=a"])
        let error = #expect(throws: PrefsError.self) { _ = try start(storage) }
        #expect(
            error?.reason
                == #"expected a dictionary, found the string "/a=a"; write it as JSON, such as {"name": "value"}"#
        )
        let right = Self.stack(
            folder, engine, PrefsDiagnosticHandler { _ in }, ["RELAY_ROUTES": #"{"/a": "a"}"#])
        #expect(try start(right).current.routes == ["/a": "a"])
    }

    @Test func `a credential that is removed is absent, or its removal rejected`() async throws {
        struct Upstream: Codable, Sendable {
            @Setting(secret: true, required: true) var token = ""
            @Setting(secret: true) var password: String?
        }
        let credentials = folder["credentials"]
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
        for name in ["token", "password"] { try folder.write("s3cret", to: "credentials/\(name)") }
        let storage = Self.stack(
            folder, engine, PrefsDiagnosticHandler { _ in }, ["CREDENTIALS_DIRECTORY": credentials])
        let upstream = try Live(Upstream(), storage)
        #expect(upstream.current.token == "s3cret" && upstream.current.password == "s3cret")
        try FileManager.default.removeItem(atPath: "\(credentials)/password")
        await storage.reloadAndSettle()
        #expect(upstream.current.password == nil)
        try FileManager.default.removeItem(atPath: "\(credentials)/token")
        await storage.reloadAndSettle()
        #expect(upstream.current.token == "s3cret")
        #expect(storage.rejections.flatMap(\.problems).map(\.key) == ["token"])
    }
}
