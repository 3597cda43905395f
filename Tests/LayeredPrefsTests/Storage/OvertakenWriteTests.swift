import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments
@testable import LayeredPrefs
@testable import PrefsFiles

/// What others can do while a write is on its way, and what must not be lost then.
struct OvertakenWriteTests {
    private let folder: TemporaryFolder
    private let format = PrefsFileFormat.xmlPropertyList

    init() throws { folder = try TemporaryFolder() }

    private func content(_ name: String) throws -> [String: PrefsValue] {
        try PrefsFileFormat.parse(folder.read(name), path: name).content
    }

    /// Sets `ours` in `f.plist` while, in the first round, something else happens; the number of rounds.
    private func write(while intrude: () throws -> Void) throws -> Int {
        var rounds = 0
        _ = try PrefsFileWriter.update(folder["f.plist"]) { document in
            rounds += 1
            if rounds == 1 { try intrude() }
            return try format.edit(document, [(["ours"], true)])
        }
        return rounds
    }

    @Test func aLinkThatIsTurnedDuringAWriteLeadsItToTheNewTarget() throws {
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

    /// Without its file the lock keeps nobody out: the next writer makes another one.
    @Test func aLockThatIsRemovedDuringAWriteIsTakenAnew() throws {
        let rounds = try write { #expect(unsafe unlink(folder[".f.plist.lock"]) == 0) }
        #expect(rounds == 2)
        #expect(try content("f.plist") == ["ours": true])
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test func aPreparedWriteWhoseLockIsRemovedIsBusyAndLeavesTheFileToTheOther() throws {
        let held = try PrefsFileWriter.prepare(folder["f.plist"]) { try format.edit($0, [(["ours"], 1)]) }
        #expect(unsafe unlink(folder[".f.plist.lock"]) == 0)
        let other = try PrefsFileWriter.prepare(folder["f.plist"]) { try format.edit($0, [(["theirs"], 2)]) }
        let error = #expect(throws: PrefsError.self) { try held.commit() }
        #expect(error?.code == .busy)
        _ = try other.commit()
        #expect(try content("f.plist") == ["theirs": 2])
    }

    /// Two threads write through one storage. The one whose rename came first is slower to say so here.
    @Test func aSlowWriterDoesNotPutItsOlderVersionInForce() throws {
        let storage = FilePrefsStorage(path: folder["f.plist"])
        let first = try PrefsFileWriter.update(folder["f.plist"]) { try format.edit($0, [(["first"], 1)]) }
        try storage.setPrefsValue(2, forKey: "second")
        storage.adopt(first.signature, first.document)
        #expect(storage.snapshot["first"] == 1)
        #expect(storage.snapshot["second"] == 2)
    }

    @Test func aSlowWriterPutsInForceWhatSomebodyElseWroteSince() throws {
        let storage = FilePrefsStorage(path: folder["f.plist"])
        let first = try PrefsFileWriter.update(folder["f.plist"]) { try format.edit($0, [(["first"], 1)]) }
        try folder.write("<plist><dict><key>second</key><integer>2</integer></dict></plist>", to: "f.plist")
        storage.adopt(first.signature, first.document)
        #expect(storage.snapshot["first"] == nil)
        #expect(storage.snapshot["second"] == 2)
    }
}
