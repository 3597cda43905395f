import PrefsSystem
import TestSupport
import FileWatching
import Foundation
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

struct PrefsFileWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let format = PrefsFileFormat.xmlPropertyList

    @discardableResult
    private func set(
        _ key: String, _ value: PrefsValue?, in name: String = "f.plist",
        options: PrefsFileWriteOptions = PrefsFileWriteOptions()
    ) throws -> (signature: FileSignature?, document: PrefsDocument) {
        try PrefsFileWriter(folder[name], options: options).update { document in
            let format = document?.format ?? PrefsFileFormat.detecting(bytes: [], path: name)
            return try (document ?? .empty).editing([.init(path: [key], value: value)], as: format)
        }
    }

    private func content(_ name: String = "f.plist") throws -> [String: PrefsValue] {
        try PrefsDocument(parsing: folder.read(name), path: name).content
    }

    private func error(_ body: () throws -> Void) -> PrefsError? {
        do {
            try body()
            return nil
        } catch {
            return error as? PrefsError
        }
    }

    @Test func `a new file and its folder are private`() throws {
        let result = try set("a", 1, in: "one/two/f.plist")
        #expect(try content("one/two/f.plist") == ["a": 1])
        #expect(result.document.content == ["a": 1])
        #expect(result.signature == FileSignature(path: folder["one/two/f.plist"]))
        #expect(FileSignature(path: folder["one/two/f.plist"])?.mode == 0o100600)
        #expect(FileSignature(path: folder["one"])?.mode == 0o040700)
        #expect(FileSignature(path: folder["one/two"])?.mode == 0o040700)
    }

    @Test(arguments: ["f.plist", "f.json", "f.toml"])
    func `an empty file is started anew, with its mode`(_ name: String) throws {
        try folder.write("", to: name, mode: 0o640)
        try set("a", 1, in: name)
        #expect(try content(name) == ["a": 1])
        #expect(FileSignature(path: folder[name])?.mode == 0o100640)
        #expect(folder.names.filter { !$0.hasPrefix(".") } == [name])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can write for another user"))
    func `what root creates belongs to the owner of the folder`() throws {
        #expect(unsafe chown(folder.path, 65_534, 65_534) == 0)
        try set("a", 1)
        #expect(FileSignature(path: folder["f.plist"])?.owner == 65_534)
        // An existing file keeps its owner.
        #expect(unsafe chown(folder["f.plist"], 0, 0) == 0)
        try set("a", 2)
        #expect(FileSignature(path: folder["f.plist"])?.owner == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `a file that its owner has made read-only is left alone`() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = try folder.write("{}", to: "f.json", mode: 0o444)
            try #require(unsafe chown(folder.path, 65_534, 65_534) == 0 && chown(path, 65_534, 65_534) == 0)
            func write() throws {
                _ = try PrefsFileWriter(path).update { _ in Array(#"{"a": 1}"#.utf8) }
            }
            try #require(seteuid(65_534) == 0)
            let error = #expect(throws: PrefsError.self) { try write() }
            try #require(error?.code == .unwritable)
            let command = "`chmod u+w \(path)`"
            try #require(
                error?.reason
                    == "not written because the file is read-only; to let programs change it, run \(command)")
            // Only the owner can follow that advice.
            for (owner, advice) in [
                (0, " and belongs to root; make the change as root"),
                (
                    1234,
                    " and belongs to user 1234; make the change as root, or as that user after \(command)"
                ),
            ] {
                try #require(unsafe seteuid(0) == 0 && chown(path, uid_t(owner), 65_534) == 0)
                try #require(seteuid(65_534) == 0)
                let other = #expect(throws: PrefsError.self) { try write() }
                try #require(other?.reason == "not written because the file is read-only" + advice)
            }
            try #require(try folder.read("f.json") == Array("{}".utf8))
            try #require(seteuid(0) == 0)
            try write()
        }
    }

    @Test func `the creation mode is not reduced by the umask`() throws {
        try set("a", 1, options: PrefsFileWriteOptions(creationMode: 0o666))
        #expect(FileSignature(path: folder["f.plist"])?.mode == 0o100666)
    }

    @Test func `a new file that is private is so before it is in place`() throws {
        let writer = PrefsFileWriter(folder["f.plist"], options: PrefsFileWriteOptions(creationMode: 0o644))
        let write = try writer.prepare(isPrivate: { true }) { _ in try format.serialize(["a": 1]) }
        let temporary = try #require(folder.names.first { $0.hasSuffix(".tmp") })
        #expect(FileSignature(path: folder[temporary])?.mode == 0o100600)
        _ = try write.commit()
        #expect(FileSignature(path: folder["f.plist"])?.mode == 0o100600)
    }

    @Test func `only the file and its lock file remain`() throws {
        try set("a", 1)
        try set("b", 2)
        #expect(folder.names == [".f.plist.lock", "f.plist"])
        #expect(try content() == ["a": 1, "b": 2])
    }

    @Test func `a binary file stays binary and a JSON file stays JSON`() throws {
        try folder.write(PrefsFileFormat.binaryPropertyList.serialize(["a": 1]), to: "b.plist")
        try folder.write("{\"a\":1}", to: "j.json")
        for name in ["b.plist", "j.json"] {
            try set("b", 2, in: name)
            #expect(try content(name) == ["a": 1, "b": 2])
        }
        #expect(try folder.read("b.plist").starts(with: Array("bplist00".utf8)))
        #expect(try folder.read("j.json") == Array("{\"a\":1,\"b\":2}".utf8))
    }

    @Test func `mode, owner and attributes are preserved`() throws {
        try set("a", 1)
        let path = folder["f.plist"]
        #expect(unsafe chmod(path, 0o640) == 0)
        if geteuid() == 0 { #expect(unsafe chown(path, 12345, 23456) == 0) }
        let file = try Descriptor(opening: path, O_RDONLY)
        let hasAttributes = ExtendedAttributes.set("user.comment", to: [1, 2, 3], in: file.number) == 0
        try set("b", 2)
        let status = try #require(try linkStatus(of: path))
        #expect(status.st_mode & 0o7777 == 0o640)
        if geteuid() == 0 { #expect((status.st_uid, status.st_gid) == (12345, 23456)) }
        let after = try Descriptor(opening: path, O_RDONLY)
        if hasAttributes {
            #expect(ExtendedAttributes.value(of: "user.comment", in: after.number) == [1, 2, 3])
        }
    }

    @Test func `a measurement of the old contents is not preserved`() throws {
        try set("a", 1)
        let file = try Descriptor(opening: folder["f.plist"], O_RDONLY)
        // Only root may set this attribute, and not on every file system.
        guard ExtendedAttributes.set("security.ima", to: [1, 2, 3], in: file.number) == 0 else { return }
        try set("b", 2)
        let after = try Descriptor(opening: folder["f.plist"], O_RDONLY)
        #expect(ExtendedAttributes.value(of: "security.ima", in: after.number) != [1, 2, 3])
        #expect(try content() == ["a": 1, "b": 2])
    }

    /// The list grants read access to user 12345: version 2, then entries of tag, permissions, identifier.
    private static let accessList: [UInt8] = {
        let entries: [(UInt8, UInt8, [UInt8])] = [
            (0x01, 6, [255, 255, 255, 255]), (0x02, 4, [0x39, 0x30, 0, 0]), (0x04, 0, [255, 255, 255, 255]),
            (0x10, 4, [255, 255, 255, 255]), (0x20, 0, [255, 255, 255, 255]),
        ]
        return [2, 0, 0, 0] + entries.flatMap { [$0.0, 0, $0.1, 0] + $0.2 }
    }()

    @Test func `an access list is preserved`() throws {
        try set("a", 1)
        let file = try Descriptor(opening: folder["f.plist"], O_RDONLY)
        let name = ExtendedAttributes.accessList
        guard ExtendedAttributes.set(name, to: Self.accessList, in: file.number) == 0 else { return }
        try set("b", 2)
        let after = try Descriptor(opening: folder["f.plist"], O_RDONLY)
        #expect(ExtendedAttributes.value(of: name, in: after.number) == Self.accessList)
    }

    @Test func `the folder's default access list is not inherited`() throws {
        try set("a", 1)
        let parent = try Descriptor(opening: folder.path, O_RDONLY | O_DIRECTORY)
        guard ExtendedAttributes.set("system.posix_acl_default", to: Self.accessList, in: parent.number) == 0
        else { return }
        try set("b", 2)
        let after = try Descriptor(opening: folder["f.plist"], O_RDONLY)
        #expect(ExtendedAttributes.value(of: ExtendedAttributes.accessList, in: after.number) == nil)
        #expect(FileSignature(path: folder["f.plist"])?.mode == 0o100600)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may own a file and then switch users"))
    func `an owner that cannot be preserved fails the write and is named`() throws {
        try folder.write("<plist><dict><key>a</key><true/></dict></plist>", to: "f.plist", mode: 0o644)
        #expect(unsafe chmod(folder.path, 0o777) == 0)
        let outcome = try ChildProcess("ChildJobs", ["set as", folder["f.plist"], "65534"]).wait()
        #expect(!outcome.isSuccess)
        #expect(outcome.output.contains("cannot keep its owner (user 0, group 0)"), "\(outcome.output)")
        #expect(try content() == ["a": true])
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away and then switch users"))
    func `a group that is not preserved leaves the new one no more than all others`() throws {
        for hasList in [false, true] {
            try folder.write("<plist><dict/></plist>", to: "f.plist")
            let path = folder["f.plist"]
            #expect(unsafe chown(path, 0, 23456) == 0)
            let file = try Descriptor(opening: path, O_RDONLY)
            // The file's group may read and write, and user 12345 may read.
            var list = Self.accessList
            (list[22], list[30], list[38]) = (6, 6, 4)
            let name = ExtendedAttributes.accessList
            if hasList, ExtendedAttributes.set(name, to: list, in: file.number) != 0 { return }
            #expect(unsafe chmod(path, 0o664) == 0 && chmod(folder.path, 0o777) == 0)
            let outcome = try ChildProcess("ChildJobs", ["set as", path, "65534", "dropping its owner"])
                .wait()
            #expect(outcome.isSuccess, "\(outcome.output)")
            let status = try #require(try linkStatus(of: path))
            #expect(status.st_gid == 65534)
            let replaced = try Descriptor(opening: path, O_RDONLY)
            let after = ExtendedAttributes.value(of: name, in: replaced.number)
            #expect(status.st_mode & 0o777 == (hasList ? 0o664 : 0o644))
            list[22] = 0
            #expect(after == (hasList ? list : nil))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a folder away and then switch users"))
    func `a folder that cannot be synced fails the write before the file is replaced`() throws {
        let old = "<plist><dict><key>a</key><true/></dict></plist>"
        try folder.write(old, to: "f.plist", mode: 0o644)
        for path in [folder.path, folder["f.plist"]] { #expect(unsafe chown(path, 65534, 65534) == 0) }
        #expect(unsafe chmod(folder.path, 0o300) == 0)
        let outcome = try ChildProcess("ChildJobs", ["set as", folder["f.plist"], "65534"]).wait()
        #expect(!outcome.isSuccess && outcome.output.contains("cannot open the file's folder"))
        #expect(try folder.read("f.plist") == Array(old.utf8))
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount"), arguments: [false, true])
    func `a file that is mounted by itself is written in place only if the caller accepts that`(
        accepts: Bool
    ) throws {
        guard let mount = Tool.find("mount"), let umount = Tool.find("umount") else { return }
        try folder.write(#"{"a": 1, "b": 2222222}"#, to: "host.json")
        try folder.write("", to: "f.json")
        let paths = [folder["host.json"], folder["f.json"]]
        guard try mount.run(["--bind"] + paths).status == 0 else { return }
        defer { _ = try? umount.run([folder["f.json"]]) }
        let writer = PrefsFileWriter(folder["f.json"], options: .init(overwritesMounted: accepts))
        let rejected = error {
            let write = try writer.prepare { try ($0 ?? .empty).editing([.remove(["b"])]) }
            _ = try write.commit()
            try write.synchronize()
        }
        #expect(rejected?.errno == (accepts ? nil : EBUSY))
        #expect(accepts || rejected?.reason.contains("mounted by itself") == true)
        let text = String(decoding: try folder.read("host.json"), as: UTF8.self)
        #expect(text == (accepts ? #"{"a": 1}"# : #"{"a": 1, "b": 2222222}"#))
        #expect(folder.names == [".f.json.lock", "f.json", "host.json"])
    }

    @Test func `hard links fail the write unless their loss is accepted`() throws {
        try set("a", 1)
        #expect(unsafe link(folder["f.plist"], folder["other"]) == 0)
        let rejected = error { try set("a", 2) }
        #expect(rejected?.code == .unwritable)
        #expect(rejected?.reason.contains("2 hard links") == true)
        #expect(try content() == ["a": 1])
        try set("a", 3, options: PrefsFileWriteOptions(mayDrop: .hardLinks))
        #expect(try content() == ["a": 3])
        #expect(try content("other") == ["a": 1])
    }

    @Test func `a link stays and its target is written`() throws {
        try FileManager.default.createDirectory(atPath: folder["real"], withIntermediateDirectories: false)
        try folder.write("<plist><dict/></plist>", to: "real/f.plist", mode: 0o644)
        try FileManager.default.createSymbolicLink(atPath: folder["f.plist"], withDestinationPath: "step")
        try FileManager.default.createSymbolicLink(
            atPath: folder["step"], withDestinationPath: "real/f.plist")
        try set("a", 1)
        #expect(try content("real/f.plist") == ["a": 1])
        #expect(try linkStatus(of: folder["f.plist"])?.isLink == true)
        #expect(folder.names == ["f.plist", "real", "step"])
        try FileManager.default.createSymbolicLink(
            atPath: folder["new"], withDestinationPath: "real/born.plist")
        try set("a", 2, in: "new")
        #expect(try content("real/born.plist") == ["a": 2])
    }

    @Test func `a broken file is not overwritten`() throws {
        try folder.write("<plist><dict>", to: "f.plist")
        let rejected = error { try set("a", 1) }
        #expect(rejected?.code == .broken)
        #expect(rejected?.origin?.position == .line(1, column: 14))
        #expect(try folder.read("f.plist") == Array("<plist><dict>".utf8))
    }

    @Test func `a broken file is replaced on request and saved as a copy`() throws {
        try folder.write("<plist><dict>", to: "f.plist", mode: 0o640)
        try set("a", 1, options: PrefsFileWriteOptions(replacesBroken: true))
        #expect(try content() == ["a": 1])
        #expect(try folder.read("f.plist.broken") == Array("<plist><dict>".utf8))
        #expect(FileSignature(path: folder["f.plist"])?.mode == 0o100640)
        #expect(folder.names == [".f.plist.lock", "f.plist", "f.plist.broken"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
    func `the copy of a broken file is open to nobody else`() throws {
        try folder.write("<plist><dict>", to: "f.plist", mode: 0o640)
        #expect(unsafe chown(folder["f.plist"], 12345, 23456) == 0)
        let parent = try Descriptor(opening: folder.path, O_RDONLY | O_DIRECTORY)
        _ = ExtendedAttributes.set("system.posix_acl_default", to: Self.accessList, in: parent.number)
        try set("a", 1, options: PrefsFileWriteOptions(replacesBroken: true))
        let copy = try #require(try linkStatus(of: folder["f.plist.broken"]))
        #expect((copy.st_uid, copy.st_gid, copy.st_mode & 0o777) == (12345, 23456, 0o640))
        let file = try Descriptor(opening: folder["f.plist.broken"], O_RDONLY)
        #expect(ExtendedAttributes.value(of: ExtendedAttributes.accessList, in: file.number) == nil)
    }

    @Test func `the copy of a broken file overwrites no other file`() throws {
        try folder.write("precious", to: "f.plist.broken")
        var copies: [String] = []
        // The second revision already has a copy.
        for broken in ["<plist>1", "<plist>2", "<plist>2", "<plist>3"] {
            try folder.write(broken, to: "f.plist")
            let options = PrefsFileWriteOptions(replacesBroken: true)
            let writer = PrefsFileWriter(folder["f.plist"], options: options) { copies.append($0) }
            _ = try writer.update { _ in try format.serialize(["a": 1]) }
            #expect(try folder.read(URL(filePath: copies.last ?? "").lastPathComponent) == Array(broken.utf8))
        }
        let names = [1, 2, 2, 3].map { folder["f.plist.broken.\($0)"] }
        #expect(copies == names)
        #expect(try folder.read("f.plist.broken") == Array("precious".utf8))
        #expect(folder.names.filter { $0.hasSuffix(".tmp") } == [])
    }

    @Test func `an unchanged file is not written`() throws {
        let first = try set("a", 1)
        let second = try set("a", 1)
        #expect(first.signature == second.signature)
        let third = try PrefsFileWriter(folder["f.plist"]).update { _ in nil }
        #expect(third.signature == first.signature)
        #expect(third.document.content == ["a": 1])
        let missing = try PrefsFileWriter(folder["none"]).update { _ in nil }
        #expect(missing.signature == nil)
        #expect(missing.document.content.isEmpty)
    }

    @Test func `known contents are used only while the signature matches`() throws {
        let first = try set("a", 1)
        let known = (try #require(first.signature), first.document)
        var seen: PrefsDocument?
        _ = try PrefsFileWriter(folder["f.plist"], known: known).update { document in
            seen = document
            return nil
        }
        #expect(seen === first.document)
        try set("b", 2)
        _ = try PrefsFileWriter(folder["f.plist"], known: known).update { document in
            seen = document
            return nil
        }
        #expect(seen?.content == ["a": 1, "b": 2])
    }

    @Test func `versions written in quick succession have different signatures`() throws {
        var signatures: Set<FileSignature?> = []
        for round in 0..<30 { signatures.insert(try set("a", .integer(Int128(10 + round))).signature) }
        #expect(signatures.count == 30)
    }

    @Test func `leftovers of killed writers are removed and unrelated files are not`() throws {
        try folder.write("x", to: ".f.plist.0123456789abcdef.tmp")
        let others = [
            ".f.plist.lock.0123456789abcdef.tmp", ".f.plist.0123456789abcde.tmp", "f.plist.tmp",
            ".g.0123456789abcdef.tmp",
        ]
        for name in others { try folder.write("x", to: name) }
        try set("a", 1)
        #expect(Set(folder.names) == Set(others + ["f.plist", ".f.plist.lock"]))
    }

    @Test func `another process's change during a write is not lost`() throws {
        try set("a", 1)
        var rounds = 0
        let result = try PrefsFileWriter(folder["f.plist"]).update { document in
            rounds += 1
            if rounds == 1 {
                try folder.write("<plist><dict><key>theirs</key><true/></dict></plist>", to: "f.plist")
            }
            return try (document ?? .empty).editing([.set(["ours"], to: true)], as: format)
        }
        #expect(rounds == 2)
        #expect(result.document.content == ["theirs": true, "ours": true])
        #expect(try content() == ["theirs": true, "ours": true])
    }

    @Test func `replacing a file of another kind keeps what another process adds meanwhile`() throws {
        try folder.write("a\n", to: "f.locks")
        var rounds = 0
        try PrefsFileWriter(folder["f.locks"]).replace { bytes in
            rounds += 1
            if rounds == 1 { try folder.write("a\ntheirs\n", to: "f.locks") }
            return (bytes ?? []) + Array("ours\n".utf8)
        }
        #expect(rounds == 2)
        #expect(try folder.read("f.locks") == Array("a\ntheirs\nours\n".utf8))
    }

    @Test func `a file lock held for too long is busy`() throws {
        let held = try PrefsFileWriter(folder["f.plist"]).prepare { _ in nil }
        let options = PrefsFileWriteOptions(lockTimeout: .milliseconds(30))
        #expect(error { try set("a", 1, options: options) }?.code == .busy)
        held.discard()
        try set("a", 1, options: options)
        #expect(try content() == ["a": 1])
    }

    @Test func `a waiting writer gets the file lock when it is released`() async throws {
        let held = try PrefsFileWriter(folder["f.plist"]).prepare { _ in try format.serialize(["a": 1]) }
        let path = folder["f.plist"]
        let waiting = Task.detached {
            try PrefsFileWriter(path).update {
                try ($0 ?? .empty).editing([.set(["b"], to: 2)], as: .xmlPropertyList)
            }
            .document.content
        }
        _ = try held.commit()
        let content = try await waiting.value
        #expect(content == ["a": 1, "b": 2])
    }

    @Test func `a replaced lock file is not trusted`() throws {
        try set("a", 1)
        #expect(unsafe unlink(folder[".f.plist.lock"]) == 0)
        try set("b", 2)
        #expect(try content() == ["a": 1, "b": 2])
        #expect(unsafe unlink(folder[".f.plist.lock"]) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder[".f.plist.lock"], withDestinationPath: "elsewhere")
        #expect(error { try set("c", 3) }?.code == .unwritable)
        #expect(!FileManager.default.fileExists(atPath: folder["elsewhere"]))
    }

    @Test(arguments: [(0o700, 0o600), (0o770, 0o660), (0o755, 0o600), (0o777, 0o666)] as [(mode_t, UInt32)])
    func `writers to the folder may take the file lock`(folderMode: mode_t, lockMode: UInt32) throws {
        #expect(unsafe chmod(folder.path, folderMode) == 0)
        if geteuid() == 0 { #expect(unsafe chown(folder.path, 12345, 23456) == 0) }
        try set("a", 1)
        let lock = try #require(FileSignature(path: folder[".f.plist.lock"]))
        #expect(lock.mode & 0o7777 == lockMode)
        if geteuid() == 0 { #expect(lock.owner == 12345) }
    }

    @Test func `a prepared write is committed or discarded`() throws {
        try set("a", 1)
        let kept = try PrefsFileWriter(folder["f.plist"]).prepare {
            try ($0 ?? .empty).editing([.set(["a"], to: 2)], as: format)
        }
        #expect(kept.document.content == ["a": 2])
        #expect(try content() == ["a": 1])
        #expect(try kept.commit().signature == FileSignature(path: folder["f.plist"]))
        #expect(try content() == ["a": 2])
        #expect(throws: PrefsError.self) { try kept.commit() }
        let dropped = try PrefsFileWriter(folder["f.plist"]).prepare {
            try ($0 ?? .empty).editing([.set(["a"], to: 3)], as: format)
        }
        dropped.discard()
        #expect(try content() == ["a": 2])
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test func `an error thrown by the transform leaves everything unchanged`() throws {
        try set("a", 1)
        #expect(throws: CancellationError.self) {
            try PrefsFileWriter(folder["f.plist"]).update { _ in throw CancellationError() }
        }
        let invalid = error {
            _ = try PrefsFileWriter(folder["f.plist"]).update { _ in Array("<plist>".utf8) }
        }
        #expect(invalid?.code == .syntax)
        #expect(folder.names == [".f.plist.lock", "f.plist"])
        #expect(try content() == ["a": 1])
        try set("a", 2)
    }

    @Test func `the writer rejects files that the reader rejects`() throws {
        try folder.write("<plist><dict/></plist>", to: "f.plist", mode: 0o666)
        let rejected = error {
            _ = try PrefsFileWriter(folder["f.plist"], policy: .trusted).update {
                try ($0 ?? .empty).editing([.set(["a"], to: 1)], as: format)
            }
        }
        #expect(rejected?.code == .untrusted)
        #expect(unsafe mkfifo(folder["pipe"], 0o600) == 0)
        #expect(error { try set("a", 1, in: "pipe") }?.code == .notARegularFile)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a read-only folder is reported as EACCES`() throws {
        try set("a", 1)
        #expect(unsafe chmod(folder.path, 0o500) == 0)
        defer { unsafe chmod(folder.path, 0o700) }
        let rejected = error { try set("a", 2) }
        #expect(rejected?.code == .unwritable)
        #expect(rejected?.errno == EACCES)
        #expect(try content() == ["a": 1])
    }
}
