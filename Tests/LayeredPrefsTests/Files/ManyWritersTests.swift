import FileWatching
import Foundation
import Testing

@testable import LayeredPrefs

/// Several processes writing one file, killed at any moment. The suite runs a part;
/// `LAYEREDPREFS_FULL=1` runs 8 × 500 writes and 500 kills.
@Suite(.serialized)
struct ManyWritersTests {
    private static let isFull = ProcessInfo.processInfo.environment["LAYEREDPREFS_FULL"] != nil

    @Test func noWriteOfAnyProcessIsLost() throws {
        let folder = try TemporaryFolder()
        let processes = Self.isFull ? 8 : 4, rounds = Self.isFull ? 500 : 25
        let path = folder["f.plist"]
        let children = try (0..<processes).map { try ChildProcess(["count", path, "writer\($0)", "\(rounds)"]) }
        for child in children { #expect(child.wait().isSuccess) }
        let content = try PrefsFileFormat.parse(folder.read("f.plist"), path: path).content
        #expect(content["shared"] == .integer(Int128(processes * rounds)))
        for index in 0..<processes { #expect(content["writer\(index)"] == .integer(Int128(rounds))) }
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test func threadsOfOneProcessLoseNothingEither() async throws {
        let folder = try TemporaryFolder()
        let path = folder["f.plist"]
        try await withThrowingTaskGroup { group in
            for index in 0..<4 {
                group.addTask {
                    for _ in 0..<10 {
                        _ = try PrefsFileWriter.update(path) { document in
                            let shared = document?.root["shared"]?.integer.value ?? 0
                            return try PrefsFileFormat.xmlPropertyList.edit(
                                document, [(["shared"], .integer(shared + 1)), (["t\(index)"], true)])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let content = try PrefsFileFormat.parse(folder.read("f.plist"), path: path).content
        #expect(content == ["shared": 40, "t0": true, "t1": true, "t2": true, "t3": true])
    }

    @Test func whatWasAcknowledgedSurvivesBeingKilledAtAnyMoment() throws {
        let folder = try TemporaryFolder()
        let path = folder["f.plist"]
        var generator = SeededGenerator(seed: 42)
        var acknowledged = 0
        for round in 0..<(Self.isFull ? 500 : 8) {
            let name = "k\(round % 3)", log = folder["log"]
            unsafe unlink(log)
            let child = try ChildProcess(["acknowledge", path, name, log])
            // The moment is what is random here: nothing to wait for.
            Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.25, using: &generator))
            child.kill()
            let lines = (try? String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")) ?? []
            guard let last = lines.last.flatMap({ Int128($0) }) else { continue }
            acknowledged += lines.count
            let document = try PrefsFileFormat.parse(folder.read("f.plist"), path: path)
            let value = try #require(document.root[name]?.integer.value)
            // The one write it was killed in may or may not have come through.
            #expect(value == last || value == last + 1)
        }
        print("\(acknowledged) acknowledged writes, none lost")
        _ = try PrefsFileWriter.update(path) { try PrefsFileFormat.xmlPropertyList.edit($0, [(["last"], true)]) }
        #expect(Set(folder.names).isSubset(of: [".f.plist.lock", "f.plist", "log"]))
    }
}
