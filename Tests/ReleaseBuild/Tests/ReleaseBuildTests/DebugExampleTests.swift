import Foundation
import Testing

/// The program DebugOverrides in a release build. The test of the same name in the main package runs the
/// debug build.
@Suite struct DebugExampleTests {
    @Test(arguments: ["log.level = \"debug\"\nserver.real = false\n", "]"])
    func `a release build ignores debug.toml`(debug: String) throws {
        let folder = TemporaryFolder()
        try debug.write(toFile: folder.path("debug.toml"), atomically: true, encoding: .utf8)
        let settings = "log.level = \"notice\"\nserver.real = false\n"
        try settings.write(toFile: folder.path("settings.toml"), atomically: true, encoding: .utf8)
        #expect(
            try output(in: folder.path("")) == [
                "# LayeredPrefs was built for release",
                "log.level", "user \"notice\" settings.toml:1:5 effective", "default \"info\" shadowed",
                "server.real", "default true effective",
                "starts", "user 1 settings.toml:3:1 effective", "default 0 shadowed",
                "# log.level in the debug layer: notStored",
            ])
        #expect(try String(contentsOfFile: folder.path("debug.toml"), encoding: .utf8) == debug)
    }

    /// Runs the example, which is built beside the tests. Returns its lines, without the folder of the files.
    private func output(in folder: String) throws -> [String] {
        let process = Process()
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("DebugOverrides")
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: " ").map { $0.split(separator: "/").last ?? $0 }.joined(separator: " ")
        }
    }
}
