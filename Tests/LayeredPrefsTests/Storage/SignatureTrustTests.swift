import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments
@testable import LayeredPrefs
@testable import PrefsFiles

/// Edits that a file's times do not reveal, because both times fall into one step of the clock.
@Suite(.serialized)
struct SignatureTrustTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the body in a folder on a file system whose times advance in the kernel's steps. `ramfs` always
    /// works this way; other file systems have become more precise. Only root may mount it.
    private func inCoarseFolder(_ body: (String) throws -> Void) throws {
        guard geteuid() == 0, let mount = Tool.find("mount"), let umount = Tool.find("umount") else { return }
        try FileManager.default.createDirectory(atPath: folder["disk"], withIntermediateDirectories: false)
        guard try mount.run(["-t", "ramfs", "ramfs", folder["disk"]]).status == 0 else { return }
        defer { _ = try? umount.run([folder["disk"]]) }
        try body("disk/f.plist")
    }

    private func edit(_ name: String, to value: Int) throws {
        try folder.write("<plist><dict><key>a</key><integer>\(value)</integer></dict></plist>", to: name)
    }

    @Test func `every edit in place is read, however fast edits follow each other`() throws {
        try inCoarseFolder { name in
            try edit(name, to: 0)
            let storage = FilePrefsStorage(path: folder[name])
            for value in 100..<300 {
                try edit(name, to: value)
                storage.reload()
                #expect(storage.snapshot["a"] == .integer(Int128(value)))
            }
        }
    }

    @Test func `an edit in place during a write is not lost, however fast it came`() throws {
        try inCoarseFolder { name in
            for value in 100..<200 {
                try edit(name, to: value)
                var rounds = 0
                let result = try PrefsFileWriter(folder[name]).update { document in
                    rounds += 1
                    if rounds == 1 { try edit(name, to: value + 500) }
                    return try (document ?? .empty).editing([.set(["ours"], to: true)], as: .xmlPropertyList)
                }
                #expect(result.document.content == ["a": .integer(Int128(value + 500)), "ours": true])
            }
        }
    }
}
