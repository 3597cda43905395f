import Foundation
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefsInspection

@Suite struct DriftTests {
    private func drift(
        _ answers: InspectionAnswers, environment: [String: String]? = [:]
    ) throws -> [InspectionReply.Drift] {
        try #require(answers.reply(to: InspectionRequest(.drift, environment: environment)).drift)
    }

    @Test func `a process that uses what its files contain does not drift`() throws {
        let fixture = try InspectionFixture()
        try fixture.write(#"{"http": {"port": 9090}, "other": [1, 2]}"#)
        fixture.storage.reload()
        #expect(try drift(fixture.answers()).isEmpty)
    }

    @Test func `an override is lost`() throws {
        let fixture = try InspectionFixture()
        let answers = fixture.answers()
        try fixture.storage.setValue(9090, forKey: "http.port", in: .overrides)
        let drift = try drift(answers)
        #expect(drift.map(\.key) == ["http.port"])
        #expect(drift.first?.reason == .override)
        #expect(drift.first?.running == "9090")
        #expect(drift.first?.restarted == "8080")
    }

    @Test func `the last good contents of a broken file are lost`() throws {
        let fixture = try InspectionFixture()
        try fixture.write(#"{"http": {"port": 9090}}"#)
        fixture.storage.reload()
        let answers = fixture.answers()
        try fixture.write("{")
        fixture.storage.reload()
        #expect(fixture.storage.get(fixture.port) == 9090)
        let drift = try drift(answers)
        #expect(drift.map(\.reason) == [.broken])
        #expect(drift.first?.restarted == "8080")
        #expect(drift.first?.explanation.contains(fixture.file) == true)
    }

    @Test func `a variable of another value, and a rejected one, change the value`() throws {
        let fixture = try InspectionFixture(variables: ["MYD_HTTP_PORT": "9090"])
        let answers = fixture.answers()
        #expect(try drift(answers, environment: ["MYD_HTTP_PORT": "9090"]).isEmpty)
        let changed = try drift(answers, environment: ["MYD_HTTP_PORT": "9191"])
        #expect(changed.map(\.reason) == [.environment])
        #expect(changed.first?.restarted == "9191")
        let rejected = try drift(answers, environment: ["MYD_HTTP_PORT": "many"])
        #expect(rejected.first?.restarted == "8080")
        #expect(rejected.first?.explanation.contains("MYD_HTTP_PORT") == true)
        #expect(rejected.first?.explanation.contains("expected an integer") == true)
    }

    @Test func `a key that needs a restart runs with its first value`() throws {
        let fixture = try InspectionFixture()
        let answers = fixture.answers()
        try fixture.write(#"{"workers": 8}"#)
        fixture.storage.reload()
        let drift = try drift(answers)
        #expect(drift.map(\.reason) == [.restart])
        #expect(drift.first?.running == "4")
        #expect(drift.first?.restarted == "8")
        let keys = answers.reply(to: InspectionRequest(.list, key: "workers")).keys
        #expect(keys?.first?.needsRestart == true)
    }

    @Test func `secrets are not shown`() throws {
        let fixture = try InspectionFixture()
        let answers = fixture.answers()
        try fixture.storage.setValue("hunter2", forKey: "auth.token", in: .overrides)
        let difference = try #require(try drift(answers).first)
        #expect(difference.isSecret)
        #expect(difference.running == nil && difference.restarted == nil)
        #expect(!difference.explanation.contains("hunter2"))
    }

    @Test func `two folders of drop-ins are the reason, not an edit that has not been loaded`() throws {
        let sandbox = try PrefsSandbox()
        let file = "\(sandbox.root)/settings"
        func write(_ text: String, to name: String, in folder: String) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        try write(#"{"workers": 7}"#, to: "80-site.json", in: "\(file).json.d")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let system = SystemPrefsStorage(
            locations: [PrefsFileLocations.System(path: "\(file).toml")], options: options)
        let storage = PrefsStack(diagnostics: options.diagnostics) { PrefsLayer(.system, system) }
        let workers = PersistentKey("workers", defaultValue: 4)
        let answers = InspectionAnswers(
            storage: storage, domain: "com.example.myd", keys: [PrefsKeyDescription(workers)])
        try write("workers = 2\n", to: "10.toml", in: "\(file).toml.d")
        storage.reload()
        let difference = try #require(try drift(answers).first)
        #expect(difference.reason == .broken)
        #expect(difference.explanation.hasPrefix("the process keeps the previous version: "), "\(difference)")
        #expect(
            difference.explanation.contains("only one of these folders may have drop-ins"), "\(difference)")
    }
}
