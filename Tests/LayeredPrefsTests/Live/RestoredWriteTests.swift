import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Writes by a program that has started with the last accepted settings, because a file is wrong.
@Suite struct RestoredWriteTests {
    private struct Relay: Codable, Sendable, Equatable {
        @Setting(in: 1...65535) var port = 8080
        var host = "::"
        @Setting(in: 1...9) var level = 1
    }

    private let folder: TemporaryFolder
    private let reports = Recorder<String>()
    private var dropIn: String { "etc/relay/relay.toml.d/10-level.toml" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder["etc/relay/relay.toml.d"], withIntermediateDirectories: true)
        try folder.write("port = 9000\n", to: "etc/relay/relay.toml")
        try folder.write("level = 2\n", to: dropIn)
    }

    private func start() throws -> Live<Relay> {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { [reports] in
            reports.record("\($0.severity): \($0.error.origin?.file ?? "-"): \($0.error.reason)")
        }
        var contents = StartContents.lastAccepted(in: folder["state"])
        contents.probation = .seconds(3600)
        let storage = PrefsStack.daemon(
            "relay", root: folder.path, environment: [:], arguments: [], options: options)
        return try Live(Relay(), storage, startWith: contents)
    }

    /// - Parameter isEdited: True if another file of the layer is edited after the start.
    @Test(arguments: ["level = = 1\n", "level = 10\n"], [false, true])
    func `a write takes effect, or throws and names the file to mend`(text: String, isEdited: Bool)
        async throws
    {
        _ = try start()
        try folder.write(text, to: dropIn)
        let relay = try start()
        let storage = relay.storage
        #expect(relay.current.level == 2)
        if isEdited {
            try folder.write("port = 9001\n", to: "etc/relay/relay.toml")
            storage.reload()
        }
        let used = Recorder<Int>()
        let applying = relay.apply(\.port) { used.record($1.self) }
        let before = relay.current
        let file = try String(contentsOfFile: folder["etc/relay/relay.toml"], encoding: .utf8)
        let host = PersistentKey("host", defaultValue: "::")

        for attempt in 1...2 {
            do {
                #expect(try await relay.update { $0.port = 7000 + attempt } == .effective)
                #expect(relay.current.port == 7000 + attempt)
            } catch let error as PrefsError {
                #expect("\(error)".contains(folder[dropIn]), "\(error)")
                #expect(relay.current == before)
                #expect(
                    try String(contentsOfFile: folder["etc/relay/relay.toml"], encoding: .utf8) == file)
            }
            let present = relay.current
            do {
                #expect(try storage.set(host, to: "host\(attempt)", in: .system) == .effective)
                #expect(relay.current.host == "host\(attempt)" && storage.get(host) == "host\(attempt)")
            } catch let error as PrefsError {
                #expect("\(error)".contains(folder[dropIn]), "\(error)")
                #expect(relay.current == present)
            }
            #expect(used.elements.last ?? before.port == relay.current.port)
            #expect(!relay.isInconsistent)
            #expect(storage.engine.restoredLayers == ["system"])
        }
        await storage.settled()
        #expect(!reports.elements.contains { $0.hasPrefix("recovered") }, "\(reports.elements)")
        #expect(relay.current.level == 2)

        try folder.write("level = 3\n", to: dropIn)
        storage.reload()
        try await relay.applied()
        #expect(relay.current.level == 3)
        #expect(try await relay.update { $0.port = 7003 } == .effective)
        #expect(relay.current.port == 7003 && used.elements.last == 7003)
        await storage.settled()
        #expect(reports.elements.contains { $0.hasPrefix("recovered") })
        applying.cancel()
    }
}
