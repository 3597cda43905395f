import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

/// Several processes that write one file and are killed at random moments. By default, only a part of the
/// suite runs; `LAYEREDPREFS_FULL=1` runs 8 × 500 writes and 510 kills.
@Suite(.serialized)
struct ManyWritersTests {
    private static let isFull = ProcessInfo.processInfo.environment["LAYEREDPREFS_FULL"] != nil

    @Test func `no write by any process is lost`() throws {
        let folder = try TemporaryFolder()
        let processes = Self.isFull ? 8 : 4
        let rounds = Self.isFull ? 500 : 25
        let path = folder["f.plist"]
        let children = try (0..<processes).map {
            try ChildProcess("ChildJobs", ["count", path, "writer\($0)", "\(rounds)"])
        }
        for child in children { #expect(child.wait().isSuccess) }
        let content = try PrefsDocument(parsing: folder.read("f.plist"), path: path).content
        #expect(content["shared"] == .integer(Int128(processes * rounds)))
        for index in 0..<processes { #expect(content["writer\(index)"] == .integer(Int128(rounds))) }
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test func `no write by any thread of one process is lost`() async throws {
        let folder = try TemporaryFolder()
        let path = folder["f.plist"]
        try await withThrowingTaskGroup { group in
            for index in 0..<4 {
                group.addTask {
                    for _ in 0..<10 {
                        _ = try PrefsFileWriter(path).update { document in
                            let shared = document?.root["shared"]?.raw.integer.value ?? 0
                            return try (document ?? .empty).editing(
                                [.set(["shared"], to: .integer(shared + 1)), .set(["t\(index)"], to: true)],
                                as: .xmlPropertyList)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let content = try PrefsDocument(parsing: folder.read("f.plist"), path: path).content
        #expect(content == ["shared": 40, "t0": true, "t1": true, "t2": true, "t3": true])
    }

    @Test func `acknowledged writes survive being killed at any moment`() throws {
        let folder = try TemporaryFolder()
        let path = folder["f.plist"]
        let writers = 3
        var generator = SeededGenerator(seed: 42)
        var acknowledged = 0
        for _ in 0..<(Self.isFull ? 170 : 4) {
            let children = try (0..<writers).map { index in
                try? FileManager.default.removeItem(atPath: folder["log\(index)"])
                return try ChildProcess(
                    "ChildJobs", ["acknowledge", path, "k\(index)", folder["log\(index)"]])
            }
            for child in children {
                // The random delay is the point of the test: there is no event to wait for.
                Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.2, using: &generator))
                child.kill()
            }
            for index in 0..<writers { acknowledged += try checkLog(index, in: folder) }
        }
        print("\(acknowledged) acknowledged writes, none lost")
        _ = try PrefsFileWriter(path).update {
            try ($0 ?? .empty).editing([.set(["last"], to: true)], as: .xmlPropertyList)
        }
        let logs = (0..<writers).map { "log\($0)" }
        #expect(Set(folder.names).isSubset(of: [".f.plist.lock", "f.plist"] + logs))
    }

    /// Compares the file with the last write that one writer logged as saved. Returns the number of logged writes.
    private func checkLog(_ index: Int, in folder: TemporaryFolder) throws -> Int {
        let log = try? String(contentsOfFile: folder["log\(index)"], encoding: .utf8)
        let lines = log?.split(separator: "\n") ?? []
        guard let last = lines.last.flatMap({ Int128($0) }) else { return 0 }
        let document = try PrefsDocument(parsing: folder.read("f.plist"), path: nil)
        let value = try #require(document.root["k\(index)"]?.raw.integer.value)
        // The write that the kill interrupted may or may not have been committed.
        #expect(value == last || value == last + 1)
        return lines.count
    }
}
