import Foundation
import LayeredPrefs
import PrefsDocuments
import TestSupport
import Testing

/// The debug layer and debug keys in a debug build. Tests/ReleaseBuild has the tests of a release build.
@Suite struct DebugLayerTests {
    private let folder: TemporaryFolder
    private let level = PersistentKey("log.level", defaultValue: "info")

    init() throws { folder = try TemporaryFolder() }

    private func stack() -> PrefsStack {
        PrefsStack {
            PrefsLayer(.user, .file(at: folder["settings.toml"]))
            PrefsLayer.debug(.file(at: folder["debug.toml"]))
        }
    }

    @Test func `a file as the debug layer overrides the user's`() throws {
        try folder.write("log.level = \"notice\"\n", to: "settings.toml")
        try folder.write("log.level = \"trace\"\n", to: "debug.toml")
        let storage = stack()
        #expect(storage.get(level) == "trace")
        #expect(storage.resolution(for: level).origin?.layer == "debug")
    }

    @Test func `only a write that names the debug layer goes to its file`() async throws {
        let storage = stack()
        #expect(try storage.set(level, to: "a") == .effective)
        #expect(try storage.setValue(1, forKey: "b") == .effective)
        try storage.transaction { $0.setValue(2, forKey: "c") }
        storage.setValueLater(3, forKey: "d")
        await storage.flush()
        #expect(!folder.names.contains("debug.toml"))
        #expect(try storage.set(level, to: "e", in: .debug) == .effective)
        let debug = try PrefsDocument(parsing: folder.read("debug.toml"), as: .toml).content
        #expect(debug == ["log": ["level": "e"]])
        guard case .shadowed(let origin) = try storage.remove(level) else {
            Issue.record("not shadowed")
            return
        }
        #expect(origin.layer == "debug")
    }

    @Test func `a stack with a debug layer alone has no default target`() throws {
        let storage = PrefsStack { PrefsLayer.debug(.file(at: folder["debug.toml"])) }
        let error = #expect(throws: PrefsError.self) { try storage.set(level, to: "a") }
        #expect(error?.code == .notWritable)
        #expect(folder.names.isEmpty)
    }

    @Test func `a debug key is read and written`() throws {
        let isReal = PersistentKey("server.real", defaultValue: false, .debugOnly(releaseValue: true))
        let storage = stack()
        #expect(!storage.get(isReal))
        #expect(try storage.set(isReal, to: true) == .effective)
        #expect(storage.get(isReal))
        #expect(try storage.remove(isReal, in: .user) == .effective)
    }

    /// The test of the same name in Tests/ReleaseBuild runs the release build.
    @Test func `the example shows what a debug build reads from debug.toml`() throws {
        let source = URL(filePath: #filePath)
            .appendingPathComponent("../../../ReleaseBuild/Sources/DebugOverrides/DebugOverrides.swift")
            .standardizedFileURL
        let (errors, output) = try SnippetCompiler.run(
            [:], with: [source.path],
            finding: [
                "settings.toml": "log.level = \"notice\"\nserver.real = false\n",
                "debug.toml": "log.level = \"debug\"\nserver.real = true\n",
            ])
        #expect(errors == [:])
        // Compare the lines without the folder of the files.
        let lines = output.split(separator: "\n").map { line in
            line.split(separator: " ").map { $0.split(separator: "/").last ?? $0 }.joined(separator: " ")
        }
        #expect(
            lines == [
                "# LayeredPrefs was built for debugging",
                "log.level", "debug \"debug\" debug.toml:1:5 effective",
                "user \"notice\" settings.toml:1:5 shadowed", "default \"info\" shadowed",
                "server.real", "debug true debug.toml:2:8 effective", "user false settings.toml:2:8 shadowed",
                "default false shadowed",
                "starts", "user 1 settings.toml:3:1 effective", "default 0 shadowed",
                "# log.level in the debug layer: effective",
            ])
    }
}
