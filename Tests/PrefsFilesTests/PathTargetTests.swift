import Foundation
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsFiles

struct PathTargetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: target)
    }

    private func target(_ name: String, creationMode: mode_t? = nil) throws(PrefsError) -> PathTarget {
        try PathTargetSearch.target(of: folder[name], creationMode: creationMode)
    }

    @Test func `creates missing folders, also below a link, and accepts existing ones`() throws {
        try link("below", to: "a/b")
        for _ in 0..<2 { #expect(try target("below/c/f", creationMode: 0o700).status == nil) }
        var isFolder: ObjCBool = false
        #expect(unsafe FileManager.default.fileExists(atPath: folder["a/b/c"], isDirectory: &isFolder))
        #expect(isFolder.boolValue)
    }

    @Test func `a missing folder that is not to be created is an error`() throws {
        #expect(throws: PrefsError.self) { try target("a/f") }
        #expect(folder.names.isEmpty)
        try folder.write("", to: "file")
        let error = #expect(throws: PrefsError.self) { try target("file/below/f", creationMode: 0o700) }
        #expect(error?.errno == ENOTDIR)
    }

    @Test(arguments: ["one", "two", "dir/../three", "self/three", "dir/back"])
    func `links lead to one target, however the path is spelled`(_ spelling: String) throws {
        try FileManager.default.createDirectory(atPath: folder["dir"], withIntermediateDirectories: false)
        try link("one", to: "two")
        try link("two", to: folder["three"])
        try link("self", to: ".")
        try link("dir/back", to: "../self/three")
        #expect(try target(spelling).isSame(as: target("three")))
        #expect(PrefsFileIdentity(folder[spelling]) == PrefsFileIdentity(folder["three"]))
    }

    @Test func `a loop of links is an error`() throws {
        try link("loop", to: "loop")
        let error = #expect(throws: PrefsError.self) { try target("loop") }
        #expect(error?.errno == ELOOP)
    }

    @Test func `a link whose target is not UTF-8 is followed and written`() throws {
        let name: [UInt8] = Array("r".utf8) + [0xE9, 0xFF]
        #expect(unsafe RawPath(name).withCString { unsafe symlink($0, folder["f.plist"]) } == 0)
        _ = try PrefsFileWriter(folder["f.plist"]).update {
            try ($0 ?? .empty).editing([.set(["a"], to: 1)], as: .xmlPropertyList)
        }
        let names = Set(try OpenFolder(at: RawPath(folder.path)).names)
        let lock = RawPath(Array(".".utf8) + name + Array(".lock".utf8))
        #expect(names == [".", "..", "f.plist", RawPath(name), lock])
        let written = try #require(try PrefsFileReader.read(folder["f.plist"]))
        #expect(try PrefsDocument(parsing: written.bytes).content == ["a": 1])
    }

    /// The user who owns the link may not write to its destination.
    @Test(.enabled(if: geteuid() == 0, "only root may give a link to another user"))
    func `a link of another user leads nowhere that this user could not write`() throws {
        for name in ["theirs", "ours"] {
            try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: false)
        }
        #expect(unsafe chown(folder["theirs"], 12345, 12345) == 0)
        try folder.write("", to: "ours/theirs")
        #expect(unsafe chown(folder["ours/theirs"], 12345, 12345) == 0)
        try folder.write("", to: "ours/ours")
        let places = ["theirs/new", "ours/theirs", "ours/new", "ours/ours", "ours/missing/new"]
        for (index, place) in places.enumerated() {
            try link("link\(index)", to: place)
            #expect(unsafe lchown(folder["link\(index)"], 12345, 12345) == 0)
        }
        for index in 0..<2 { _ = try target("link\(index)", creationMode: 0o700) }
        for index in 2..<5 {
            let error = #expect(throws: PrefsError.self) { try target("link\(index)", creationMode: 0o700) }
            #expect(error?.code == .untrusted)
            #expect(error?.reason.contains("12345") == true)
        }
        #expect(Set(try OpenFolder(at: RawPath(folder["ours"])).names) == [".", "..", "theirs", "ours"])
    }

    /// The folder's owner replaces it with a link after the writer has found it.
    @Test func `a folder that is swapped during a write is not left`() throws {
        for name in ["mine", "other"] {
            try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: false)
        }
        let writer = PrefsFileWriter(folder["mine/f.plist"])
        let write = try writer.prepare { document in
            try FileManager.default.moveItem(atPath: folder["mine"], toPath: folder["moved"])
            try link("mine", to: "other")
            return try (document ?? .empty).editing([.set(["a"], to: 1)], as: .xmlPropertyList)
        }
        let error = #expect(throws: PrefsError.self) { try write.commit() }
        #expect(error?.code == .busy)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["other"]).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["moved"]) == [".f.plist.lock"])
    }
}
