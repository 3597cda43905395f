import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable {
    var limit = 1
    var upstreams: [Backend] = []
    var own: [SelfMade] = []
    var any: [[String: Int]] = []
}

private struct Backend: PrefsSection, Sendable {
    var host = ""
    @Setting(in: 0...10) var weight = 1
    var routes: [PathEntry]? = nil
    var labels: [String: String] = [:]
}

private struct PathEntry: PrefsSection, Sendable { var path = "" }

/// A struct that also reads another field than its own.
private struct SelfMade: Codable, Sendable {
    enum CodingKeys: String, CodingKey { case host, hostname }
    var host = ""

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        host =
            try container.decodeIfPresent(String.self, forKey: .host)
            ?? container.decode(String.self, forKey: .hostname)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(host, forKey: .host)
    }
}

/// The warnings about unknown fields of structs in an array.
@Suite struct UnknownFieldTests {
    private let folder: TemporaryFolder
    private let reports = Recorder<String>()

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try folder.write(text, to: "relay.toml") }

    private func stack() -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { [reports, folder] in
            reports.record("\($0)".replacing(folder.path, with: ""))
        }
        return PrefsStack(
            coalescing: .standard, diagnostics: options.diagnostics,
            [PrefsLayer(.system, FilePrefsStorage(path: folder["relay.toml"], options: options)), .overrides])
    }

    @Test func `a misspelled field is one warning with its line`() async throws {
        try write(
            """
            limit = 2
            [[upstreams]]
            host = "a"
            [[upstreams]]
            host = "b"
            wieght = 3
            labels = { any = "x" }
            routes = [{ path = "/" }, { paht = "/x" }]
            [[own]]
            hostname = "h"
            [[own]]
            host = "h"
            other = 1
            [[any]]
            x = 1
            """)
        let storage = stack()
        let relay = try Live(Relay(), storage)
        storage.reportUnknownKeys()
        let expected = [
            "warning: system /relay.toml:6:1: upstreams[1].wieght: unknown field; did you mean “weight”?",
            "warning: system /relay.toml:8:29: upstreams[1].routes[1].paht: unknown field; did you mean “path”?",
            "warning: system /relay.toml:13:1: own[1].other: unknown field",
        ]
        #expect(reports.elements == expected)
        // An edit of another key repeats no warning; an edit of the array warns of its new mistake.
        let text = try String(contentsOfFile: folder["relay.toml"], encoding: .utf8)
        try write(text.replacing("limit = 2", with: "limit = 3"))
        storage.reload()
        await storage.settled()
        #expect(relay.current.limit == 3)
        #expect(reports.elements == expected)
        try write(text.replacing("host = \"a\"", with: "hots = \"a\""))
        storage.reload()
        await storage.settled()
        #expect(
            reports.elements.dropFirst(expected.count) == [
                "warning: system /relay.toml:3:1: upstreams[0].hots: unknown field; did you mean “host”?"
            ])
        // Correcting a mistake and making it again leads to a new warning.
        try write(text.replacing("wieght", with: "weight"))
        storage.reload()
        try write(text)
        storage.reload()
        await storage.settled()
        #expect(reports.elements.last == expected[0])
    }

    @Test func `fields count with the other unknown keys of a file`() throws {
        let elements = (0..<30).map { "{ host = \"h\", bad\($0) = 1 }" }.joined(separator: ", ")
        try write("zzz = 1\nupstreams = [\(elements)]\n")
        let storage = stack()
        let relay = try Live(Relay(), storage)
        storage.reportUnknownKeys()
        #expect(relay.current.upstreams.count == 30)
        #expect(reports.elements.count == PrefsLimits.reports + 1)
        #expect(reports.elements.last == "warning: system /relay.toml: … and 11 more unknown keys")
    }
}
