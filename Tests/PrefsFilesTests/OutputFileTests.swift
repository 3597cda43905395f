import FileWatching
import Foundation
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

/// Files that are written as a whole.
struct OutputFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file that is written as a whole leaves nothing beside it`() throws {
        try PrefsFileWriter(folder["x.json"]).write(Array("{}".utf8))
        #expect(folder.names == ["x.json"])
        #expect(FileSignature(path: folder["x.json"])?.mode == 0o100600)
        try folder.write("old", to: "x.json", mode: 0o644)
        try PrefsFileWriter(folder["x.json"]).write(Array("[]".utf8))
        #expect(try folder.read("x.json") == Array("[]".utf8))
        #expect(FileSignature(path: folder["x.json"])?.mode == 0o100644)
        #expect(folder.names == ["x.json"])
    }

    @Test func `a file that programs write is locked`() throws {
        let path = folder["x.json"]
        _ = try PrefsFileWriter(path).update { _ in Array("{}".utf8) }
        let target = try PathTargetSearch.target(of: path, creationMode: nil)
        let lock = try PrefsFileLock(on: target, timeout: .zero)
        let writer = PrefsFileWriter(path, options: PrefsFileWriteOptions(lockTimeout: .zero))
        #expect(#expect(throws: PrefsError.self) { try writer.write([]) }?.code == .busy)
        extendLifetime(lock)
        #expect(try folder.read("x.json") == Array("{}".utf8))
    }

    @Test func `a failed write leaves nothing behind`() throws {
        #expect(throws: PrefsError.self) { try PrefsFileWriter(folder["missing/x.json"]).write([]) }
        try FileManager.default.createDirectory(atPath: folder["d"], withIntermediateDirectories: false)
        #expect(throws: PrefsError.self) { try PrefsFileWriter(folder["d"]).write([]) }
        #expect(folder.names == ["d"])
    }
}
