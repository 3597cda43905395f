import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Wrong values below an acceptable one: an administrator can repair a package's file with a drop-in.
@Suite struct ShadowedValueTests {
    private struct Relay: Codable, Sendable, Equatable {
        var port = 8
        var host = "none"
    }

    /// A `Codable` value of one key, merged by field.
    private struct Server: Codable, Sendable, Equatable {
        var port = 8
        var limit = 100
        var host = "none"
    }

    private let folder: TemporaryFolder
    private let reports = Recorder<String>()
    private let port = PersistentKey("port", defaultValue: 8, in: 1...65535)

    init() throws { folder = try TemporaryFolder() }

    private static let vendor = "usr/lib/relay/relay.toml.d/10-vendor.toml"
    private static let repair = "etc/relay/relay.toml.d/50-repair.toml"

    private func daemon() -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { [reports, root = folder.path] in
            reports.record("\($0)".replacing(root, with: ""))
        }
        return .daemon("relay", root: folder.path, environment: [:], arguments: [], options: options)
    }

    /// Returns a stack of layers in memory with the scope `.key`.
    private func stack(_ contents: [String: [String: PrefsValue]]) -> PrefsStack {
        let layers = ["vendor", "site", "top"].map { name in
            PrefsLayer(PrefsLayer.Name(name), DictionaryPrefsStorage(values: contents[name] ?? [:]))
        }
        let diagnostics = PrefsDiagnosticHandler { [reports] in reports.record("\($0)") }
        return PrefsStack(diagnostics: diagnostics) { layers }
    }

    @Test func `a program starts in spite of a wrong value that a drop-in shadows`() throws {
        try folder.write("port = \"eighty\"\nhost = \"a\"\n", to: Self.vendor)
        try folder.write("port = 80\n", to: Self.repair)
        let relay = try Live(Relay(), daemon())
        #expect(relay.current == Relay(port: 80, host: "a"))
        #expect(
            reports.elements == [
                """
                warning: system /\(Self.vendor):1:1: port: expected an integer, found the string "eighty"; \
                not used, because system /\(Self.repair):1:1 sets this key, too
                """
            ])
        #expect(relay.storage.rejections.isEmpty)
    }

    @Test func `a check of the configuration warns of a wrong value that a drop-in shadows`() throws {
        try folder.write("port = \"eighty\"\n", to: Self.vendor)
        try folder.write("port = 80\n", to: Self.repair)
        var check = PrefsConfigurationCheck()
        check(Relay())
        let stack = daemon()
        #expect(check.problems(of: stack).isEmpty)
        #expect(check.warnings(about: stack).map(\.origin?.file) == ["\(folder.path)/\(Self.vendor)"])
        try FileManager.default.removeItem(atPath: folder[Self.repair])
        stack.reload()
        #expect(check.problems(of: stack).map(\.key) == ["port"] && check.warnings(about: stack).isEmpty)
    }

    @Test func `a broken rule is reported beside other mistakes although a wrong value is shadowed`() throws {
        struct Taken: Error, CustomStringConvertible { let description = "b is taken" }
        try folder.write("port = 80\n", to: Self.repair)
        let stack = daemon()
        stack.declare(PersistentKey("limit", defaultValue: 1, in: 1...9))
        let relay = try Live(Relay(), stack) { if $0.host == "b" { throw Taken() } }
        try folder.write("port = \"eighty\"\nhost = \"b\"\nlimit = 10\n", to: Self.vendor)
        stack.reload()
        let reasons = stack.rejections.flatMap(\.problems).map(\.reason)
        #expect(reasons.contains { $0.hasPrefix("expected 1...9") }, "\(reasons)")
        #expect(reasons.contains { $0.hasSuffix(": b is taken") }, "\(reasons)")
        #expect(relay.current == Relay(port: 80, host: "none"))
    }

    @Test func `a drop-in makes a package's rejected file active`() throws {
        try folder.write("port = 1\n", to: Self.vendor)
        let relay = try Live(Relay(), daemon())
        try folder.write("port = \"eighty\"\nhost = \"b\"\n", to: Self.vendor)
        relay.storage.reload()
        #expect(relay.current == Relay(port: 1, host: "none") && relay.storage.rejections.count == 1)
        try folder.write("port = 80\n", to: Self.repair)
        relay.storage.reload()
        #expect(relay.current == Relay(port: 80, host: "b") && relay.storage.rejections.isEmpty)
        #expect(reports.elements.map { $0.prefix { $0 != ":" } } == ["error", "recovered", "warning"])
    }

    @Test func `to take the value above a wrong one away is rejected`() throws {
        try folder.write("port = \"eighty\"\n", to: Self.vendor)
        try folder.write("port = 80\n", to: Self.repair)
        let relay = try Live(Relay(), daemon())
        try FileManager.default.removeItem(atPath: folder[Self.repair])
        relay.storage.reload()
        #expect(relay.current.port == 80)
        let rejection = try #require(relay.storage.rejections.first)
        #expect(rejection.problems.map(\.origin?.file) == ["\(folder.path)/\(Self.vendor)"])
        try folder.write("port = 81\n", to: Self.vendor)
        relay.storage.reload()
        #expect(relay.current.port == 81 && relay.storage.rejections.isEmpty)
    }

    @Test func `a write that would uncover a wrong value throws and stores nothing`() throws {
        let stack = stack(["vendor": ["port": "eighty"], "top": ["port": 80]])
        stack.declare(port)
        let error = #expect(throws: PrefsError.self) { try stack.remove(port, in: "top") }
        #expect(error?.key == "port" && error?.origin?.layer == "vendor")
        #expect(stack.get(port) == 80)
        // Repair the lower value first.
        try stack.set(port, to: 7, in: "vendor")
        #expect(try stack.remove(port, in: "top") == .effective)
        #expect(stack.get(port) == 7)
    }

    @Test func `a layer whose keys are on their own keeps the value above a wrong one`() throws {
        try folder.write(#"{"port": "eighty"}"#, to: "vendor.json")
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let layers = ["vendor", "site"].map { name in
            PrefsLayer(
                PrefsLayer.Name(name), FilePrefsStorage(path: folder["\(name).json"]), rejectionScope: .key)
        }
        let stack = PrefsStack { layers }
        let host = PersistentKey("host", defaultValue: "none")
        stack.declare(port)
        try folder.write(#"{"host": "b"}"#, to: "site.json")
        stack.reload()
        #expect(stack.get(port) == 80 && stack.get(host) == "b")
        try folder.write(#"{"port": 70}"#, to: "vendor.json")
        stack.reload()
        #expect(stack.get(port) == 70 && stack.rejections.isEmpty)
    }

    @Test func `a variable shadows a wrong value, and a lock excludes it`() throws {
        try folder.write("port = \"eighty\"\n", to: Self.vendor)
        let variables = EnvironmentPrefsStorage(prefix: "RELAY_", environment: ["RELAY_PORT": "80"])
        let layers = [
            PrefsLayer(.system, FilePrefsStorage(path: folder[Self.vendor])),
            PrefsLayer(.environment, variables),
        ]
        #expect(try Live(Relay(), PrefsStack { layers }).current.port == 80)
        let locked = PrefsStack { layers }
        locked.lock("port", at: .system)
        #expect(throws: PrefsError.self) { try Live(Relay(), locked) }
    }

    @Test func `each field of a struct is shadowed on its own`() throws {
        let key = PersistentKey(
            "server", defaultValue: Server(),
            .validate { $0.port < $0.limit ? nil : "expected a higher limit" })
        let stack = stack([
            "vendor": ["server": ["port": "eighty", "host": 5]], "site": ["server": ["port": 80]],
        ])
        stack.declare(key)
        #expect(stack.get(key) == Server(port: 80))
        #expect(
            Set(reports.elements) == [
                """
                warning: vendor server: server.port: expected an integer, found the string "eighty"; \
                not used, because site sets this key, too
                """,
                "error: vendor server: server.host: expected a string, found the integer 5",
            ])
    }

    @Test func `a struct that an edit of a lower layer would make invalid stays as it is`() throws {
        let key = PersistentKey(
            "server", defaultValue: Server(),
            .validate { $0.port < $0.limit ? nil : "expected a higher limit" })
        try folder.write(#"{"server": {"port": 50}}"#, to: "vendor.json")
        try folder.write(#"{"server": {"limit": 60}}"#, to: "site.json")
        let stack = PrefsStack {
            for name in ["vendor", "site"] {
                PrefsLayer(PrefsLayer.Name(name), FilePrefsStorage(path: folder["\(name).json"]))
            }
        }
        stack.declare(key)
        try folder.write(#"{"server": {"port": 70, "host": "b"}}"#, to: "vendor.json")
        stack.reload()
        #expect(stack.get(key) == Server(port: 50, limit: 60))
        try folder.write(#"{"server": {"limit": 90}}"#, to: "site.json")
        stack.reload()
        #expect(stack.get(key) == Server(port: 70, limit: 90, host: "b"))
    }
}
