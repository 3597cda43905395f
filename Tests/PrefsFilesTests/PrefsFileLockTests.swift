import Foundation
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import PrefsFiles

struct PrefsFileLockTests {
    private let folder: TemporaryFolder
    private var target: String { folder["f.plist"] }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("/a/f.plist", "/a/.f.plist.lock"), ("f.plist", "./.f.plist.lock"), ("/f", "//.f.lock"),
    ])
    func `the lock file lies beside the file`(target: String, path: String) {
        #expect(PrefsFileLock.path(for: target) == path)
    }

    @Test(arguments: [Duration.zero, .milliseconds(20)])
    func `a second lock fails with busy after the timeout`(_ timeout: Duration) throws {
        let first = try PrefsFileLock(on: target, timeout: .zero)
        let error = #expect(throws: PrefsError.self) { try PrefsFileLock(on: target, timeout: timeout) }
        #expect(error?.code == .busy)
        #expect(error?.origin?.file == target)
        extendLifetime(first)
    }

    @Test func `a released lock is free at once and its file remains`() throws {
        for _ in 0..<3 { _ = try PrefsFileLock(on: target, timeout: .zero) }
        #expect(folder.names == [".f.plist.lock"])
    }

    @Test func `a lock whose file was removed or replaced is not effective`() throws {
        let lock = try PrefsFileLock(on: target, timeout: .zero)
        #expect(lock.isEffective)
        try FileManager.default.removeItem(atPath: folder[".f.plist.lock"])
        #expect(!lock.isEffective)
        let second = try PrefsFileLock(on: target, timeout: .zero)
        #expect(!lock.isEffective)
        #expect(second.isEffective)
    }

    @Test func `a lock file that is no regular file is an error`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder[".f.plist.lock"], withDestinationPath: folder["elsewhere"])
        let error = #expect(throws: PrefsError.self) { try PrefsFileLock(on: target, timeout: .zero) }
        #expect(error?.code == .unwritable)
        #expect(error?.errno == ELOOP)
        #expect(folder.names == [".f.plist.lock"])
    }
}
