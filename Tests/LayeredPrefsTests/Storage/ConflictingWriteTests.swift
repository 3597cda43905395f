import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments
@testable import LayeredPrefs
@testable import PrefsFiles

/// Changes by another process during a write. They must not be lost.
struct ConflictingWriteTests {
    private let folder: TemporaryFolder
    private let format = PrefsFileFormat.xmlPropertyList

    init() throws { folder = try TemporaryFolder() }

    private func content(_ name: String) throws -> [String: PrefsValue] {
        try PrefsDocument(parsing: folder.read(name), path: name).content
    }

    /// Sets `ours` in `f.plist` while `intrude` runs in the first round. Returns the number of rounds.
    private func write(while intrude: () throws -> Void) throws -> Int {
        var rounds = 0
        _ = try PrefsFileWriter(folder["f.plist"]).update { document in
            rounds += 1
            if rounds == 1 { try intrude() }
            return try (document ?? .empty).editing([.set(["ours"], to: true)], as: format)
        }
        return rounds
    }

    @Test func `a write follows a link whose target changes during the write`() throws {
        try folder.write("<plist><dict><key>old</key><true/></dict></plist>", to: "old")
        try folder.write("<plist><dict><key>new</key><true/></dict></plist>", to: "new")
        try FileManager.default.createSymbolicLink(atPath: folder["f.plist"], withDestinationPath: "old")
        let rounds = try write {
            try FileManager.default.removeItem(atPath: folder["f.plist"])
            try FileManager.default.createSymbolicLink(atPath: folder["f.plist"], withDestinationPath: "new")
        }
        #expect(rounds == 2)
        #expect(try content("new") == ["new": true, "ours": true])
        #expect(try content("old") == ["old": true])
    }

    /// A lock on a removed file excludes no other writer: the next writer creates another lock file.
    @Test func `a lock file removed during a write is locked again`() throws {
        let rounds = try write { #expect(unsafe unlink(folder[".f.plist.lock"]) == 0) }
        #expect(rounds == 2)
        #expect(try content("f.plist") == ["ours": true])
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test func `a prepared write whose lock file is removed is busy and yields to the other`() throws {
        let held = try PrefsFileWriter(folder["f.plist"]).prepare {
            try ($0 ?? .empty).editing([.set(["ours"], to: 1)], as: format)
        }
        #expect(unsafe unlink(folder[".f.plist.lock"]) == 0)
        let other = try PrefsFileWriter(folder["f.plist"]).prepare {
            try ($0 ?? .empty).editing([.set(["theirs"], to: 2)], as: format)
        }
        let error = #expect(throws: PrefsError.self) { try held.commit() }
        #expect(error?.code == .busy)
        _ = try other.commit()
        #expect(try content("f.plist") == ["theirs": 2])
    }

    /// Two threads write through one storage. The thread that renamed first is the last to report it.
    @Test func `a slow writer does not make its older version effective`() throws {
        let storage = FilePrefsStorage(path: folder["f.plist"])
        let first = try PrefsFileWriter(folder["f.plist"]).update {
            try ($0 ?? .empty).editing([.set(["first"], to: 1)], as: format)
        }
        try storage.setValue(2, forKey: "second")
        storage.adopt(first.signature, first.document, at: folder["f.plist"])?()
        #expect(storage.snapshot["first"] == 1)
        #expect(storage.snapshot["second"] == 2)
    }

    @Test func `a slow writer makes a later external change effective`() throws {
        let storage = FilePrefsStorage(path: folder["f.plist"])
        let first = try PrefsFileWriter(folder["f.plist"]).update {
            try ($0 ?? .empty).editing([.set(["first"], to: 1)], as: format)
        }
        try folder.write("<plist><dict><key>second</key><integer>2</integer></dict></plist>", to: "f.plist")
        storage.adopt(first.signature, first.document, at: folder["f.plist"])?()
        #expect(storage.snapshot["first"] == nil)
        #expect(storage.snapshot["second"] == 2)
    }
}
