import TestSupport
import FileWatching
import Foundation
import PrefsSystem
import Testing

@testable import PrefsDocuments
@testable import LayeredPrefs
@testable import PrefsFiles

/// Edits that a file's times do not reveal, because they fall into one step of the clock.
@Suite(.serialized)
struct SignatureTrustTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let second: Int64 = 1_000_000_000

    @Test(
        arguments: [
            // Changed long ago, and just now.
            (500, 500, 100_000_500, true), (500, 500, 5_000_500, false), (500, 500, 500, false),
            // The file system's clock is ahead.
            (500_000_500, 500_000_500, 100, false),
            // The modification time was set explicitly, as our writers do: an edit shows.
            (499, 500, 500, true), (501, 500, 500, true),
            // Whole seconds: a file system that records no fractions.
            (second, second, second + 100_000_000, false), (second, second, 5 * second, true),
            // Times that do not fit: any two of them are the same number.
            (.max, .max, 5 * second, false), (.min, .min, 5 * second, false), (500, .max, 5 * second, false),
            (.max, 500, 5 * second, false), (.max - 1, .max - 1, .min, false),
            (.max - 1, .max - 1, .max, false),
            (.min + 1, .min + 1, .max, true), (.min + 1, .min + 1, .min, false),
        ] as [(Int64, Int64, Int64, Bool)])
    func `trusts a signature after its step`(modified: Int64, changed: Int64, start: Int64, expected: Bool) {
        var signature = FileSignature(fileDescriptor: -1)
        (signature.modified, signature.changed) = (modified, changed)
        #expect(signature.showsChanges(since: start) == expected)
    }

    @Test(arguments: [
        (9_498_000_000, 5, Int64.max), (Int.max, 999_999_999, .max), (Int.min, 0, .min),
        (-9_300_000_000, 0, .min),
        (9_223_372_036, 854_775_807, .max), (9_223_372_036, 854_775_806, .max - 1), (-1, 5, -999_999_995),
    ])
    func `a time that does not fit is the nearest one, and is not trusted`(
        seconds: Int, nanoseconds: Int, expected: Int64
    ) {
        var status = stat()
        status.st_ctim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        status.st_mtim = status.st_ctim
        let signature = FileSignature(status)
        #expect(signature.changed == expected && signature.modified == expected)
        let isTrusted = signature.showsChanges(since: FileSignature.now)
        #expect(isTrusted == (expected == -999_999_995))
    }

    /// Runs the body in a folder whose file system advances times in the kernel's steps: `ramfs` always does,
    /// whereas others have become more precise. Only root may mount it.
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
