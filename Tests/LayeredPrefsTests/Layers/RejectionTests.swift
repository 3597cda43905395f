import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// New revisions of a running program's sources that have wrong values.
@Suite struct RejectionTests {
    let folder: TemporaryFolder
    let port = PersistentKey("port", defaultValue: 1, in: 1...65535)
    let host = PersistentKey("host", defaultValue: "none")
    let reports = Recorder<String>()

    init() throws { folder = try TemporaryFolder() }

    var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = diagnostics
        return options
    }

    var diagnostics: PrefsDiagnosticHandler {
        PrefsDiagnosticHandler { [reports] in
            reports.record("\($0.severity): \($0.error.key ?? "-"): \($0.error.reason)")
        }
    }

    func file(_ name: String) -> FilePrefsStorage {
        FilePrefsStorage(path: folder[name], options: options)
    }

    /// A system file with drop-ins.
    private var site: SystemPrefsStorage {
        SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: folder["site.json"], honorsLocksFile: false)],
            options: options)
    }

    func stack(_ layers: [PrefsLayer], _ check: CandidateCheck? = nil) -> PrefsStack {
        let stack = PrefsStack(
            coalescing: .standard, diagnostics: diagnostics, check: check, layers)
        stack.declare(port)
        stack.declare(host)
        return stack
    }

    static func tooLarge(_ port: Int, _ what: String = "version") -> String {
        "error: port: expected 1...65535, found the integer \(port); keeping the previous \(what)"
    }

    static let recovery = "recovered: -: now using the new version"

    @Test func `a stack as a layer is rejected as a whole if its scope says so`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let inner = PrefsStack(coalescing: .standard, diagnostics: diagnostics) {
            PrefsLayer("files", file("site.json"))
        }
        let storage = stack([PrefsLayer("site", inner, rejectionScope: .source)])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "a")
        #expect(storage.get(port) == 80)
        #expect(reports.elements == [Self.tooLarge(70000)])
    }

    @Test func `a version that is rejected leaves the one in force, and is reported once`() throws {
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
                "error: host: expected a string, found the integer 5; keeping the previous version",
            ])
        let rejection = try #require(storage.status[0].rejection)
        #expect(rejection.problems.map { $0.origin?.position?.description.prefix(1) } == ["1", "2"])
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        let line = try #require(storage.explanation(for: port).description.split(separator: "\n").last)
        #expect(line.hasPrefix("  rejected since 2"))
        #expect(line.hasSuffix("site.json:1:2: port: expected 1...65535, found the integer 70000"))
    }

    @Test func `at the start every version takes effect`() throws {
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        #expect(storage.get(port) == 1 && storage.get(host) == "a")
        #expect(reports.elements == ["error: port: expected 1...65535, found the integer 70000"])
    }

    @Test func `a problem from before the start rejects no later edit`() throws {
        try folder.write(#"{"port": 70000, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b")
        try folder.write(#"{"port": 70001, "host": "c"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b")
    }

    @Test func `a value that another layer shadows does not count`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let storage = stack([
            PrefsLayer("site", file("site.json")), .defaults(["port": 90], locking: []),
        ])
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 90 && storage.get(host) == "b")
        #expect(reports.elements.map { $0.hasPrefix("warning: port: expected 1...65535") } == [true])
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

    @Test func `nothing else waits for a version that is rejected`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let overrides = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer("site", file("site.json")), PrefsLayer(.overrides, overrides)])
        try folder.write(#"{"port": 70000}"#, to: "site.json")
        storage.reload()
        try storage.set(host, to: "b", in: .overrides)
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(reports.elements == [Self.tooLarge(70000)])
    }

    @Test func `files of a layer that change together are rejected together`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "site.json")
        let storage = stack([PrefsLayer(.system, site)])
        try folder.write(#"{"port": 70000}"#, to: "site.json.d/10-port.json")
        try folder.write(#"{"port": 80, "host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        // An edit of another file of the folder waits for both.
        try folder.write(#"{"name": "n"}"#, to: "site.json.d/20-name.json")
        storage.reload()
        #expect(storage.value(forKey: "name") == nil)
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        try FileManager.default.removeItem(atPath: folder["site.json.d/10-port.json"])
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(storage.value(forKey: "name") == "n")
        let rejection = Self.tooLarge(70000) + ", also of \(folder["site.json"])"
        let second = "\(rejection), \(folder["site.json.d/20-name.json"])"
        #expect(reports.elements == [rejection, second, Self.recovery])
    }

    @Test func `many files that wait for another one are counted`() throws {
        let storage = stack([PrefsLayer(.system, site)])
        for number in 10...40 {
            try folder.write(#"{"key\#(number)": 1}"#, to: "site.json.d/\(number).json")
        }
        try folder.write(#"{"port": 70000}"#, to: "site.json.d/50.json")
        storage.reload()
        let report = try #require(reports.elements.first)
        #expect(reports.elements.count == 1 && report.hasPrefix(Self.tooLarge(70000) + ", also of "))
        #expect(report.contains("/29.json and 11 more") && !report.contains("/30.json"))
    }

    @Test func `the removal of a file can be rejected`() throws {
        try folder.write(#"{"host": "a"}"#, to: "site.json")
        let required = CandidateCheck { candidate, _, _, _ in
            guard candidate.candidates(forKey: "host").isEmpty else { return [] }
            let error = PrefsError(.missing, key: "host", reason: "no host")
            return [.init(place: .values([host.name]), error: error)]
        }
        let storage = stack([PrefsLayer("site", file("site.json"))], required)
        try FileManager.default.removeItem(atPath: folder["site.json"])
        storage.reload()
        #expect(storage.get(host) == "a")
        try folder.write(#"{"host": "b"}"#, to: "site.json")
        storage.reload()
        #expect(storage.get(host) == "b")
        #expect(
            reports.elements == ["error: host: no host; keeping the previous version", Self.recovery])
    }

    @Test func `a version that was rejected is offered again when something else changes`() throws {
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
                "error: port, limit: expected the port below the limit; keeping the previous version",
                Self.recovery,
            ])
    }

    @Test func `a version is accepted although another layer's is still rejected`() throws {
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
        #expect(storage.status.map { $0.rejection == nil } == [true, false, true])
    }

    @Test func `a file with a rejected version that is stored again is reported once`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let storage = stack([PrefsLayer("site", file("site.json"))])
        for text in [#"{"port": 70000}"#, #"{ "port": 70000 }"#, "{\n\"port\": 70000\n}"] {
            try folder.write(text, to: "site.json")
            storage.reload()
        }
        #expect(reports.elements == [Self.tooLarge(70000)])
    }

    @Test func `the problems of several rejected files are reported once`() throws {
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
                "error: host: expected a string, found the integer 5; keeping the previous version",
            ])
    }

    @Test func `what the end of a lock uncovers rejects no edit of another file`() throws {
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

    @Test func `a problem that nothing new explains rejects nothing`() throws {
        try folder.write(#"{"port": 80}"#, to: "site.json")
        let always = CandidateCheck { _, _, _, _ in
            let error = PrefsError(.invalid, reason: "wrong since the start")
            return [
                .init(
                    place: .value(PrefsPath("x"), of: "x", in: .init(layer: "system", file: nil)),
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
