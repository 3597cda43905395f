import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

/// If a write to the disk fails, the old file stays intact.
@Suite(.serialized)
struct FullDiskTests {
    private let folder: TemporaryFolder
    private let old = Array("<plist><dict><key>a</key><string>old</string></dict></plist>".utf8)

    init() throws { folder = try TemporaryFolder() }

    @Test func `exceeding the file size limit is an error and does not end the process`() throws {
        try folder.write(old, to: "f.plist")
        let outcome = try ChildProcess("ChildJobs", ["set", folder["f.plist"], "20"]).wait()
        #expect(!outcome.isSuccess)
        #expect(outcome.output.contains("cannot write the file: File too large"))
        #expect(try folder.read("f.plist") == old)
        #expect(folder.names == [".f.plist.lock", "f.plist"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
    func `a full disk is reported as ENOSPC`() throws {
        guard let mount = Tool.find("mount"), let umount = Tool.find("umount") else { return }
        try FileManager.default.createDirectory(atPath: folder["disk"], withIntermediateDirectories: false)
        guard try mount.run(["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder["disk"]]).status == 0 else {
            return
        }
        defer { _ = try? umount.run([folder["disk"]]) }
        try folder.write(old, to: "disk/f.plist")
        let error = #expect(throws: PrefsError.self) {
            try PrefsFileWriter(folder["disk/f.plist"]).update {
                try ($0 ?? .empty).editing(
                    [.set(["big"], to: .string(String(repeating: "x", count: 100_000)))], as: .xmlPropertyList
                )
            }
        }
        #expect(error?.code == .unwritable)
        #expect(error?.errno == ENOSPC)
        #expect(try folder.read("disk/f.plist") == old)
        _ = try PrefsFileWriter(folder["disk/f.plist"]).update {
            try ($0 ?? .empty).editing([.set(["a"], to: "new")], as: .xmlPropertyList)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a read-only disk"))
    func `a read-only disk is reported as EROFS`() throws {
        guard let mount = Tool.find("mount"), let umount = Tool.find("umount") else { return }
        try FileManager.default.createDirectory(atPath: folder["disk"], withIntermediateDirectories: false)
        guard try mount.run(["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder["disk"]]).status == 0 else {
            return
        }
        defer { _ = try? umount.run([folder["disk"]]) }
        try folder.write(old, to: "disk/f.plist")
        #expect(try mount.run(["-o", "remount,ro", folder["disk"]]).status == 0)
        let error = #expect(throws: PrefsError.self) {
            try PrefsFileWriter(folder["disk/f.plist"]).update {
                try ($0 ?? .empty).editing([.set(["a"], to: 1)], as: .xmlPropertyList)
            }
        }
        #expect(error?.code == .unwritable)
        #expect(error?.errno == EROFS)
        #expect(try folder.read("disk/f.plist") == old)
    }
}
