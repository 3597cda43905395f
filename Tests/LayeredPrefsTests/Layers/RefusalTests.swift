import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// New versions of a running program's sources whose values are wrong.
@Suite struct RefusalTests {
    private let folder: TemporaryFolder
    private let port = PersistentKey("port", defaultValue: 1, in: 1...65535)
    private let host = PersistentKey("host", defaultValue: "none")
    private let reports = Recorder<String>()

    init() throws { folder = try TemporaryFolder() }

    private var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = diagnostics
        return options
    }

    private var diagnostics: PrefsDiagnostics {
        PrefsDiagnostics { [reports] in
            reports.record("\($0.severity): \($0.error.key ?? "-"): \($0.error.reason)")
        }
    }

    private func file(_ name: String) -> FilePrefsStorage {
        FilePrefsStorage(path: folder[name], options: options)
    }

    private func stack(_ layers: [PrefsLayer], _ check: CandidateCheck? = nil) -> LayeredPrefsStorage {
        let stack = LayeredPrefsStorage(
            coalescing: .standard, diagnostics: diagnostics, check: check, layers)
        stack.declare(port)
        stack.declare(host)
        return stack
    }

    private static func tooLarge(_ port: Int, _ what: String = "version") -> String {
        "error: port: expected 1...65535, found the integer \(port); the \(what) in force stays"
    }

    private static let recovery = "recovered: -: the newest version is in force"

    @Test func `a version that is refused leaves the one in force, and is reported once`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        let generation = storage.snapshot.generation
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        #expect(storage.snapshot.generation == generation)
        storage.reload()
        #expect(reports.elements == [Self.tooLarge(70000)])
        try folder.write(#"{"port": 70001, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 80)
        try folder.write(#"{"port": 81, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 81 && storage.get(host) == "b")
        #expect(reports.elements == [Self.tooLarge(70000), Self.tooLarge(70001), Self.recovery])
    }

    @Test func `every problem of a version is reported, and shown in the status`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        try folder.write("{\"port\": 70000,\n \"host\": 5}", to: "site.json")
        storage.reload()
        #expect(
            Set(reports.elements) == [
                Self.tooLarge(70000),
                "error: host: expected a string, found the integer 5; the version in force stays",
            ])
        let refusal = try #require(storage.status[0].refusal)
        #expect(refusal.problems.map { $0.origin?.position?.description.prefix(1) } == ["1", "2"])
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        let line = try #require(storage.explanation(for: port).description.split(separator: "\n").last)
        #expect(line.hasPrefix("  refused since 2"))
        #expect(line.hasSuffix("site.json:1:2: port: expected 1...65535, found the integer 70000"))
    }

    @Test func `at the start every version takes effect`() throws {
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        #expect(storage.get(port) == 1 && storage.get(host) == "a")
        #expect(reports.elements == ["error: port: expected 1...65535, found the integer 70000"])
    }

    @Test func `a problem from before the start refuses no later edit`() throws {
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b")
        try folder.write(#"{"port": 70001, "host": "c"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b")
    }

    @Test func `a value that another layer shadows counts`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let storage = stack([
            PrefsLayer("site", file("site.json")), .defaults(["port": 90], locking: []),
        ])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 90 && storage.get(host) == "a")
    }

    @Test func `a value that a lock excludes does not count`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let storage = stack([
            .defaults(["port": 90], locking: ["port"]), PrefsLayer("site", file("site.json")),
        ])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 90 && storage.get(host) == "b")
    }

    @Test func `in the user's file a key keeps its value, and the others change`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(storage.value(forKey: "port") == 80)
        try folder.write(#"{"port": 70000, "host": "c"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "c")
        #expect(reports.elements == [Self.tooLarge(70000, "value")])
        #expect(storage.status[0].refusal?.problems.map(\.key) == ["port"])
        try folder.write(#"{"port": 81, "host": "c"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 81)
        #expect(reports.elements == [Self.tooLarge(70000, "value"), "recovered: port: no longer rejected"])
        #expect(storage.status[0].refusal == nil)
    }

    @Test func `a key that the user's file did not have stays what the layers below say`() throws {
        try folder.write(#"{"host": "a"}"#, to: "user.json")
        let storage = stack([.defaults(["port": 90]), PrefsLayer(.user, file("user.json"))])
        try folder.write(#"{"host": "b", "port": 70000}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 90 && storage.get(host) == "b")
        #expect(reports.elements == ["error: port: expected 1...65535, found the integer 70000"])
    }

    @Test func `a field of a struct keeps its value where the unit is the key`() throws {
        struct Server: Codable, Sendable, Equatable {
            var host = "::"
            var timeout = 30
        }
        let server = PersistentKey("server", defaultValue: Server())
        try folder.write(#"{"server": {"host": "a", "timeout": 60}}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(server)
        try folder.write(#"{"server": {"host": "b", "timeout": "soon"}}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(server) == Server(host: "b", timeout: 60))
        #expect(storage.status[0].refusal?.problems.map(\.key) == ["server.timeout"])
    }

    @Test func `what blocks a key's path is refused as the key's value is`() throws {
        let nested = PersistentKey("http.port", defaultValue: 1)
        try folder.write(#"{"http": {"port": 80}, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(nested)
        try folder.write(#"{"http": "off", "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(nested) == 80 && storage.get(host) == "b")
    }

    @Test func `values of a storage of one's own are refused one by one`() throws {
        let own = DictionaryPrefsStorage(values: ["port": 80, "host": "a"])
        let storage = stack([PrefsLayer("own", own)])
        try own.setValue(70000, forKey: "port")
        try own.setValue("b", forKey: "host")
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        try own.setValue(81, forKey: "port")
        #expect(storage.get(port) == 81)
    }

    @Test func `nothing else waits for a version that is refused`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let overrides = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer("site", file("site.json")), PrefsLayer(.overrides, overrides)])
        try folder.write(#"{"port": 70000}"#, to: "site.json")
        storage.reload()
        try storage.set(host, to: "b", in: .overrides)
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(reports.elements == [Self.tooLarge(70000)])
    }

    @Test func `files of a layer that change together are refused together`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let site = SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: folder["site.json"], honorsLocksFile: false)],
            options: options)
        let storage = stack([PrefsLayer(.system, site)])
        try FileManager.default.createDirectory(
            atPath: folder["site.json.d"], withIntermediateDirectories: true)
        try folder.write(#"{"port": 70000}"#, to: "site.json.d/10-port.json")
        try folder.write(#"{"port": 80, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        // An edit of another file does not wait for them.
        try folder.write(#"{"name": "n"}"#, to: "site.json.d/20-name.json")
        storage.reload()
        #expect(storage.value(forKey: "name") == "n")
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        try FileManager.default.removeItem(atPath: folder["site.json.d/10-port.json"])
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(reports.elements == [Self.tooLarge(70000), Self.recovery])
    }

    @Test func `the removal of a file can be refused`() throws {
        try folder.write(#"{"host": "a"}"#, to: "site.json")
        let required = CandidateCheck { candidate, _, _, _ in
            guard candidate.candidates(forKey: "host").isEmpty else { return [] }
            let error = PrefsError(.missing, key: "host", reason: "no host")
            return [.init(place: .everything, error: error)]
        }
        let storage = stack([PrefsLayer("site", file("site.json"))], required)
        try FileManager.default.removeItem(atPath: folder["site.json"])
        storage.reload()
        #expect(storage.get(host) == "a")
        try folder.write(#"{"host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b")
        #expect(
            reports.elements == ["error: host: no host; the version in force stays", Self.recovery])
    }

    @Test func `a version that was refused is offered again when something else changes`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let storage = stack([
            PrefsLayer("site", file("site.json")),
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: ["limit": 100])),
        ])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 200}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 80)
        try storage.set(limit, to: 300, in: .overrides)
        #expect(storage.get(port) == 200)
        #expect(
            reports.elements == [
                "error: port, limit: expected the port below the limit; the version in force stays",
                Self.recovery,
            ])
    }

    @Test func `a rule over several keys refuses the values of them where the unit is the key`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 200, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
    }

    @Test func `a rule that was broken before the start refuses no other edit`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 200}"#, to: "site.json")
        let overrides = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer("site", file("site.json")), PrefsLayer(.overrides, overrides)])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 200, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b" && storage.get(port) == 1)
        try storage.setValue("x", forKey: "name", in: .overrides)
        #expect(storage.value(forKey: "name") == "x")
    }

    @Test func `a rule leaves a key absent that the user's file did not have`() throws {
        let limit = PersistentKey("limit", defaultValue: 100)
        try folder.write(#"{"port": 50}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.constrain(port, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        try folder.write(#"{"port": 50, "limit": 10}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 50 && storage.get(limit) == 100)
        #expect(storage.value(forKey: "limit") == nil)
    }

    @Test func `a rule keeps what the user's file had, through later writes of other keys`() throws {
        let minimum = PersistentKey("net.minimum", defaultValue: 0)
        let net = PersistentKey("net.port", defaultValue: 1)
        try folder.write(#"{"net": {"port": 50}}"#, to: "user.json")
        let storage = stack([
            .defaults(["net": .dictionary(["minimum": 10])]), PrefsLayer(.user, file("user.json")),
        ])
        storage.constrain(net, minimum) { $0 >= $1 ? nil : "expected the port above the minimum" }
        try folder.write("{}", to: "user.json")
        storage.reload()
        #expect(storage.get(net) == 50)
        #expect(storage.value(forKey: "net") == .dictionary(["port": 50, "minimum": 10]))
        try storage.setValue("b", forKey: "net.host", in: .user)
        #expect(storage.get(net) == 50)
        #expect(storage.value(forKey: "net.host") == "b")
    }

    @Test func `a version is accepted although another layer's is still refused`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        try folder.write(#"{"host": "a"}"#, to: "vendor.json")
        let base = DictionaryPrefsStorage(values: ["port": 90])
        let storage = stack([
            PrefsLayer("base", base), PrefsLayer("vendor", file("vendor.json")),
            PrefsLayer("site", file("site.json")),
        ])
        try folder.write(#"{"host": 5}"#, to: "vendor.json")
        try folder.write(#"{"port": 70000, "name": "n"}"#, to: "site.json")
        storage.reload()
        #expect(storage.value(forKey: "name") == nil)
        storage.lock("port", at: "base")
        #expect(storage.value(forKey: "name") == "n")
        #expect(storage.get(host) == "a" && storage.get(port) == 90)
        #expect(storage.status.map { $0.refusal == nil } == [true, false, true])
    }

    @Test func `a file with a refused version that is stored again is reported once`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        for text in [#"{"port": 70000}"#, #"{ "port": 70000 }"#, "{\n\"port\": 70000\n}"] {
            try folder.write(text, to: "site.json")
            storage.reload()
        }
        #expect(reports.elements == [Self.tooLarge(70000)])
    }

    @Test func `the problems of several refused files are reported once`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let site = SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: folder["site.json"], honorsLocksFile: false)],
            options: options)
        let storage = stack([PrefsLayer(.system, site), PrefsLayer(.overrides, DictionaryPrefsStorage())])
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "site.json")
        storage.reload()
        try FileManager.default.createDirectory(
            atPath: folder["site.json.d"], withIntermediateDirectories: true)
        try folder.write(#"{"host": 5}"#, to: "site.json.d/10-host.json")
        storage.reload()
        try storage.setValue(1, forKey: "other", in: .overrides)
        #expect(
            reports.elements == [
                Self.tooLarge(70000),
                "error: host: expected a string, found the integer 5; the version in force stays",
            ])
    }

    @Test func `a value that is refused in the user's file is no change`() async throws {
        try folder.write(#"{"port": 80}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        let generation = storage.snapshot.generation
        let changes = Recorder<[String]>()
        let observation = storage.observe { changes.record($0.shadowed + $0.changes.map(\.key)) }
        try folder.write(#"{"port": 70000}"#, to: "user.json")
        storage.reload()
        #expect(storage.snapshot.generation == generation)
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        await storage.settled()
        #expect(changes.elements == [["host"]])
        observation.cancel()
    }

    @Test func `a dictionary is no key that changed because a value in its place is refused`() async throws {
        let net = PersistentKey("net.port", defaultValue: 1)
        let limit = PersistentKey("limit", defaultValue: 10)
        try folder.write(#"{"net": "off"}"#, to: "user.json")
        let above = DictionaryPrefsStorage(values: ["net": ["port": ["x": 1]]])
        let storage = stack([PrefsLayer(.user, file("user.json")), PrefsLayer(.overrides, above)])
        storage.constrain(net, limit) { $0 <= $1 ? nil : "expected the port below the limit" }
        let shadowed = Recorder<[String]>()
        let observation = storage.observe { shadowed.record($0.shadowed) }
        try folder.write(#"{"net": {"port": 20}}"#, to: "user.json")
        storage.reload()
        await storage.settled()
        #expect(storage.get(net) == 1)
        #expect(shadowed.elements == [["net"]])
        observation.cancel()
    }

    @Test func `what a refused literal key lies behind blocks the dictionaries above the key`() throws {
        let certificate = PersistentKey("net.tls.key", defaultValue: "")
        try folder.write("{}", to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.constrain(certificate, host) { key, host in
            key.isEmpty || host != "none" ? nil : "expected a host with the key"
        }
        try folder.write(#"{"net": 5, "net.tls.key": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(certificate) == "" && storage.value(forKey: "net") == 5)
        let candidates = storage.snapshot.candidates(forKey: "net.tls")
        #expect(
            candidates.map(\.rejection?.reason) == ["expected a dictionary, found an integer at net"])
    }

    @Test func `a part that was refused is no key of the dictionary that stays in force`() async throws {
        let certificate = PersistentKey("net.tls.key", defaultValue: "")
        let name = PersistentKey("net.name", defaultValue: "")
        try folder.write(#"{"net": {"name": "a"}}"#, to: "user.json")
        let above = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer(.user, file("user.json")), PrefsLayer("above", above)])
        storage.declare(name)
        storage.constrain(certificate, host) { key, host in
            key.isEmpty || host != "none" ? nil : "expected a host with the key"
        }
        for text in [#"{"net": {"name": "a", "tls": {"key": "b"}}}"#, #"{"net": 5}"#] {
            try folder.write(text, to: "user.json")
            storage.reload()
        }
        #expect(storage.value(forKey: "net") == .dictionary(["name": "a"]))
        let shadowed = Recorder<[String]>()
        let observation = storage.observe { shadowed.record($0.shadowed) }
        try above.setValue("off", forKey: "net")
        await storage.settled()
        #expect(shadowed.elements == [[]])
        observation.cancel()
    }

    @Test func `what is behind a value that stays in force is gone, and is notified of`() async throws {
        let net = PersistentKey("net.port", defaultValue: 1)
        try folder.write(#"{"net": {"port": 443}, "net.port.deep": 7}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(net)
        #expect(storage.value(forKey: "net.port.deep") == 7)
        let changes = Recorder<[String]>()
        let observation = storage.observe { changes.record($0.changes.map(\.key)) }
        try folder.write(#"{"net.port.deep": 7}"#, to: "user.json")
        storage.reload()
        await storage.settled()
        #expect(storage.get(net) == 443 && storage.value(forKey: "net.port.deep") == nil)
        #expect(changes.elements == [["net.port.deep"]])
        observation.cancel()
    }

    @Test func `what the end of a lock uncovers refuses no edit of another file`() throws {
        try FileManager.default.createDirectory(
            atPath: folder["extra"], withIntermediateDirectories: true)
        try folder.write(#"{"host": "a"}"#, to: "site.json")
        try folder.write("port", to: "site.locks")
        try folder.write(#"{"port": 70000}"#, to: "extra/site.json")
        let site = SystemPrefsStorage(
            locations: [
                PrefsFileLocations.System(path: folder["site.json"], honorsLocksFile: true),
                PrefsFileLocations.System(path: folder["extra/site.json"], honorsLocksFile: false),
            ], options: options)
        let storage = stack([PrefsLayer(.system, site)])
        try folder.write("", to: "site.locks")
        try folder.write(#"{"host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b" && storage.get(port) == 1)
        #expect(reports.elements == ["error: port: expected 1...65535, found the integer 70000"])
    }

    @Test func `a dictionary in a struct keeps its value as a whole`() throws {
        struct Server: Codable, Sendable, Equatable { var labels = ["a": 1] }
        let server = PersistentKey("server", defaultValue: Server())
        try folder.write(#"{"server": {"labels": {"b": 2}}}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        storage.declare(server)
        try folder.write(#"{"server": {"labels": {"b": 2, "c": "x"}}}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(server) == Server(labels: ["b": 2]))
    }

    @Test func `values that are kept stay if the program refuses a later version`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let refusing = CandidateCheck { candidate, _, _, _ in
            if candidate["host"] != "b" { return [] }
            return [.init(place: .everything, error: PrefsError(.invalid, reason: "not b"))]
        }
        let storage = stack([PrefsLayer(.user, file("user.json"))], refusing)
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "user.json")
        storage.reload()
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
    }

    @Test func `a problem that nothing new explains refuses nothing`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let always = CandidateCheck { _, _, _, _ in
            let error = PrefsError(.invalid, reason: "wrong since the start")
            return [
                .init(
                    place: .value(
                        PrefsPath("x"), of: "x", in: .init(layer: "system", file: nil), hasAccepted: true),
                    error: error)
            ]
        }
        let storage = stack([PrefsLayer("site", file("site.json"))], always)
        try folder.write(#"{"port": 81}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 81)
        #expect(reports.elements.isEmpty)
    }
}

/// Writes whose values are wrong.
@Suite struct RefusedWriteTests {
    private let folder: TemporaryFolder
    private let port = PersistentKey("port", defaultValue: 1, in: 1...65535)

    init() throws { folder = try TemporaryFolder() }

    private func stack(_ name: PrefsLayer.Name) -> LayeredPrefsStorage {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        let layer = PrefsLayer(name, FilePrefsStorage(path: folder["a.json"], options: options))
        let stack = LayeredPrefsStorage(coalescing: .standard, diagnostics: PrefsDiagnostics(), [layer])
        stack.declare(port)
        return stack
    }

    private func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PrefsError)?.reason ?? "\(error)"
        }
    }

    @Test(arguments: [PrefsLayer.Name("site"), .user])
    func `an untyped write of a declared key is checked and stores nothing`(_ name: PrefsLayer.Name) throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack(name)
        #expect(
            problem { try storage.setValue(70000, forKey: "port", in: name) }
                == "expected 1...65535, found the integer 70000")
        #expect(try folder.read("a.json") == Array(#"{"port": 80}"#.utf8))
        #expect(storage.get(port) == 80)
    }

    @Test func `a write to a file with a refused version throws, unless it mends the file`() throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack("site")
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "a.json")
        storage.reload()
        #expect(
            problem { try storage.setValue("c", forKey: "host", in: "site") }
                == "expected 1...65535, found the integer 70000")
        #expect(storage.value(forKey: "host") == nil)
        try storage.set(port, to: 81, in: "site")
        #expect(storage.get(port) == 81 && storage.value(forKey: "host") == "b")
        #expect(storage.status[0].refusal == nil)
    }

    @Test func `where the unit is the key, only the keys that a write sets count`() throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack(.user)
        try folder.write(#"{"port": 70000}"#, to: "a.json")
        storage.reload()
        try storage.setValue("c", forKey: "host", in: .user)
        #expect(storage.value(forKey: "host") == "c" && storage.get(port) == 80)
        try storage.set(port, to: 81, in: .user)
        #expect(storage.get(port) == 81)
    }

    @Test func `a transaction names every problem`() throws {
        try folder.write(#"{"port": 80}"#, to: "a.json")
        let storage = stack("site")
        let limit = PersistentKey("limit", defaultValue: 5, in: 1...9)
        storage.declare(limit)
        do {
            try storage.transaction {
                $0.setValue(70000, forKey: "port", in: "site")
                $0.setValue(10, forKey: "limit", in: "site")
                $0.setValue("b", forKey: "host", in: "site")
            }
            Issue.record("a transaction with two wrong values was made")
        } catch let error as PrefsError {
            #expect(error.problems.map(\.key) == ["port", "limit"])
        }
        #expect(try folder.read("a.json") == Array(#"{"port": 80}"#.utf8))
    }
}
