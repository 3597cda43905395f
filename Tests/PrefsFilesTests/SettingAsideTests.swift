import FileWatching
import Foundation
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

/// Putting a broken file aside.
struct SettingAsideTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func setAside(_ name: String, limits: PrefsLimits = .standard) throws(PrefsError) -> String {
        try PrefsFileWriter(folder[name], limits: limits).setBrokenAside()
    }

    private static let nulls = String(repeating: "\0", count: 4096)

    @Test(arguments: [
        ("f.toml", nulls), ("f.toml", "a = = 1\n"), ("f.json", nulls), ("f.json", "{\"a\": 1"),
        ("f.plist", nulls),
        ("f.plist", "<plist><dict>"), ("f.plist", "bplist00"),
    ])
    func `a broken file is renamed with its mode and contents`(name: String, text: String) throws {
        try folder.write(text, to: name, mode: 0o640)
        let inode = FileSignature(path: folder[name])?.inode
        let kept = try setAside(name)
        #expect(kept == folder["\(name).broken"])
        #expect(try folder.read("\(name).broken") == Array(text.utf8))
        let signature = FileSignature(path: kept)
        #expect(signature?.mode == 0o100640 && signature?.inode == inode)
        #expect(folder.names == [".\(name).lock", name + ".broken"])
    }

    @Test func `no other file is overwritten`() throws {
        for (number, text) in ["first", "second", "third"].enumerated() {
            try folder.write(text, to: "f.json")
            let kept = try setAside("f.json")
            #expect(kept == folder["f.json.broken" + (number == 0 ? "" : ".\(number)")])
        }
        #expect(try folder.read("f.json.broken") == Array("first".utf8))
        #expect(try folder.read("f.json.broken.1") == Array("second".utf8))
    }

    @Test(arguments: ["{}", "{\"a\": 1}", ""])
    func `a file that can be written stays`(text: String) throws {
        try folder.write(text, to: "f.json")
        let error = #expect(throws: PrefsError.self) { try setAside("f.json") }
        #expect(error?.code == .unsupported && error?.origin?.file == folder["f.json"])
        #expect(try folder.read("f.json") == Array(text.utf8))
        #expect(folder.names == ["f.json"])
    }

    @Test func `without a file there is nothing to put aside`() {
        #expect(#expect(throws: PrefsError.self) { try setAside("f.json") }?.code == .missing)
        #expect(#expect(throws: PrefsError.self) { try setAside("missing/f.json") }?.code == .missing)
        #expect(folder.names == [])
    }

    @Test func `a file that is too large is put aside, and what is no file is not`() throws {
        try folder.write("{\"a\": 1}", to: "f.json")
        let kept = try setAside("f.json", limits: PrefsLimits(fileSize: 4))
        #expect(kept == folder["f.json.broken"])
        try FileManager.default.createDirectory(atPath: folder["d.json"], withIntermediateDirectories: false)
        #expect(#expect(throws: PrefsError.self) { try setAside("d.json") }?.code == .notARegularFile)
        #expect(unsafe mkfifo(folder["pipe.json"], 0o600) == 0)
        #expect(#expect(throws: PrefsError.self) { try setAside("pipe.json") }?.code == .notARegularFile)
    }

    @Test func `a link stays, and the file that it leads to is renamed`() throws {
        try FileManager.default.createDirectory(atPath: folder["dot"], withIntermediateDirectories: false)
        try folder.write("{", to: "dot/f.json")
        #expect(unsafe symlink("dot/f.json", folder["f.json"]) == 0)
        #expect(try setAside("f.json") == folder["dot/f.json.broken"])
        #expect(try linkStatus(of: folder["f.json"])?.isLink == true)
        _ = try PrefsFileWriter(folder["f.json"]).update { _ in Array("{}".utf8) }
        #expect(try folder.read("dot/f.json") == Array("{}".utf8))
    }

    @Test func `it waits for the file lock`() throws {
        try folder.write("{", to: "f.json")
        let target = try PathTargetSearch.target(of: folder["f.json"], creationMode: nil)
        let lock = try PrefsFileLock(on: target, timeout: .zero)
        let options = PrefsFileWriteOptions(lockTimeout: .zero)
        let writer = PrefsFileWriter(folder["f.json"], options: options)
        #expect(#expect(throws: PrefsError.self) { try writer.setBrokenAside() }?.code == .busy)
        extendLifetime(lock)
        #expect(try folder.read("f.json") == Array("{".utf8))
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a read-only file or folder is left alone`() throws {
        try folder.write("{", to: "f.json", mode: 0o400)
        #expect(#expect(throws: PrefsError.self) { try setAside("f.json") }?.errno == EACCES)
        #expect(unsafe chmod(folder["f.json"], 0o600) == 0 && chmod(folder.path, 0o500) == 0)
        defer { unsafe chmod(folder.path, 0o700) }
        #expect(#expect(throws: PrefsError.self) { try setAside("f.json") }?.errno == EACCES)
        #expect(try folder.read("f.json") == Array("{".utf8))
    }
}
