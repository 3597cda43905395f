import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// A stack whose check refuses a layer for a port above 65535.
@Suite struct RefusalTests {
    private let folder: TemporaryFolder
    private let port = PersistentKey("port", defaultValue: 1)
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
        PrefsDiagnostics { [reports] in reports.record("\($0.severity): \($0.error.reason)") }
    }

    private func file(_ name: String) -> FilePrefsStorage {
        FilePrefsStorage(path: folder[name], options: options)
    }

    private func stack(_ layers: [PrefsLayer], _ check: CandidateCheck? = nil) -> LayeredPrefsStorage {
        LayeredPrefsStorage(
            coalescing: .standard, diagnostics: diagnostics, check: check ?? Self.portCheck, layers)
    }

    /// Refuses every layer that supplies a port which is too large.
    private static let portCheck = CandidateCheck { candidate, _ in
        candidate.candidates(forKey: "port").compactMap { found in
            guard case .integer(let port) = found.value, port > 65535 else { return nil }
            let error = PrefsError(.invalid, key: "port", origin: found.origin, reason: "too large: \(port)")
            return CandidateCheck.Problem(layer: found.origin.layer ?? "", error: error)
        }
    }

    @Test func `a version that is refused leaves the one in force, and is reported once`() throws {
        try folder.write(#"{"port": 80, "host": "a"}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        let generation = storage.snapshot.generation
        try folder.write(#"{"port": 70000, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80 && storage.get(host) == "a")
        #expect(storage.snapshot.generation == generation)
        storage.reload()
        #expect(reports.elements == ["error: too large: 70000"])
        try folder.write(#"{"port": 70001, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80)
        try folder.write(#"{"port": 81, "host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 81 && storage.get(host) == "b")
        #expect(
            reports.elements == [
                "error: too large: 70000", "error: too large: 70001", "recovered: accepted again",
            ])
    }

    @Test func `at the start every version takes effect`() throws {
        try folder.write(#"{"port": 70000}"#, to: "user.json")
        let storage = stack([PrefsLayer(.user, file("user.json"))])
        #expect(storage.get(port) == 70000)
        #expect(reports.elements.isEmpty)
    }

    @Test func `nothing else waits for a version that is refused`() throws {
        try folder.write(#"{"port": 80}"#, to: "user.json")
        let overrides = DictionaryPrefsStorage()
        let storage = stack([PrefsLayer(.user, file("user.json")), PrefsLayer(.overrides, overrides)])
        try folder.write(#"{"port": 70000}"#, to: "user.json")
        storage.reload()
        try storage.set(host, to: "b", in: .overrides)
        #expect(storage.get(port) == 80 && storage.get(host) == "b")
        #expect(reports.elements == ["error: too large: 70000"])
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
        #expect(reports.elements == ["error: too large: 70000", "recovered: accepted again"])
    }

    @Test func `the removal of a file can be refused`() throws {
        try folder.write(#"{"host": "a"}"#, to: "user.json")
        let required = CandidateCheck { candidate, inForce in
            guard candidate.candidates(forKey: "host").isEmpty else { return [] }
            return [.init(layer: "user", error: PrefsError(.missing, key: "host", reason: "no host"))]
        }
        let storage = stack([PrefsLayer(.user, file("user.json"))], required)
        try FileManager.default.removeItem(atPath: folder["user.json"])
        storage.reload()
        #expect(storage.get(host) == "a")
        try folder.write(#"{"host": "b"}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(host) == "b")
        #expect(reports.elements == ["error: no host", "recovered: accepted again"])
    }

    @Test func `a version that was refused is offered again when something else changes`() throws {
        try folder.write(#"{"port": 80}"#, to: "user.json")
        let overrides = DictionaryPrefsStorage(values: ["limit": 100])
        let below = CandidateCheck { candidate, _ in
            let port = candidate["port"], limit = candidate["limit"]
            guard case .integer(let port)? = port, case .integer(let limit)? = limit, port > limit else {
                return []
            }
            return [.init(layer: "user", error: PrefsError(.invalid, key: "port", reason: "above"))]
        }
        let storage = stack(
            [PrefsLayer(.user, file("user.json")), PrefsLayer(.overrides, overrides)], below)
        try folder.write(#"{"port": 200}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 80)
        try storage.setValue(300, forKey: "limit", in: .overrides)
        #expect(storage.get(port) == 200)
        #expect(reports.elements == ["error: above", "recovered: accepted again"])
    }

    @Test func `a problem that no new version of its layer explains refuses nothing`() throws {
        try folder.write(#"{"port": 80}"#, to: "user.json")
        let always = CandidateCheck { _, _ in
            [.init(layer: "system", error: PrefsError(.invalid, reason: "wrong since the start"))]
        }
        let storage = stack([PrefsLayer(.user, file("user.json"))], always)
        try folder.write(#"{"port": 81}"#, to: "user.json")
        storage.reload()
        #expect(storage.get(port) == 81)
        #expect(reports.elements.isEmpty)
    }

    @Test func `a check runs outside of the turn, and again if anything has moved meanwhile`() throws {
        try folder.write(#"{"port": 80}"#, to: "user.json")
        let overrides = DictionaryPrefsStorage()
        let storage = Weak<LayeredPrefsStorage>()
        let ports = Recorder<PrefsValue?>()
        let isFirst = Lock(true)
        let stack = stack(
            [PrefsLayer(.user, file("user.json")), PrefsLayer(.overrides, overrides)],
            CandidateCheck { candidate, _ in
                ports.record(candidate["host"])
                let wasFirst = isFirst.withLock { value in
                    defer { value = false }
                    return value
                }
                // Neither this thread nor another one is in a turn.
                if wasFirst { _ = try? storage.value?.setValue("b", forKey: "host", in: .overrides) }
                return []
            })
        storage.value = stack
        try folder.write(#"{"port": 81}"#, to: "user.json")
        stack.reload()
        #expect(stack.get(port) == 81 && stack.get(host) == "b")
        #expect(ports.elements == [nil, "b"])
    }
}
