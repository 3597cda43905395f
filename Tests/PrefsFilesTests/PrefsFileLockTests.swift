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

    private func lock(timeout: Duration = .zero) throws(PrefsError) -> PrefsFileLock {
        try PrefsFileLock(
            on: try PathTargetSearch.target(of: target, creationMode: nil), timeout: timeout)
    }

    @Test(arguments: [Duration.zero, .milliseconds(20)])
    func `a second lock fails with busy after the timeout`(_ timeout: Duration) throws {
        let first = try lock()
        let error = #expect(throws: PrefsError.self) { _ = try lock(timeout: timeout) }
        #expect(error?.code == .busy)
        #expect(error?.origin?.file == target)
        extendLifetime(first)
    }

    @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
    func `a wait for the lock may be without end`(_ timeout: Duration) async throws {
        let first = Lock<PrefsFileLock?>(try lock())
        let second = Task.detached { [self] in try lock(timeout: timeout).isEffective }
        first.withLock { $0 = nil }
        #expect(try await second.value)
    }

    @Test func `a released lock is free at once and its file remains`() throws {
        for _ in 0..<3 { _ = try lock() }
        #expect(folder.names == [".f.plist.lock"])
    }

    @Test func `a lock whose file was removed or replaced is not effective`() throws {
        let lock = try self.lock()
        #expect(lock.isEffective)
        try FileManager.default.removeItem(atPath: folder[".f.plist.lock"])
        #expect(!lock.isEffective)
        let second = try self.lock()
        #expect(!lock.isEffective)
        #expect(second.isEffective)
    }

    @Test func `a lock file that is no regular file is an error`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder[".f.plist.lock"], withDestinationPath: folder["elsewhere"])
        let error = #expect(throws: PrefsError.self) { _ = try lock() }
        #expect(error?.code == .unwritable)
        #expect(error?.errno == ELOOP)
        #expect(folder.names == [".f.plist.lock"])
    }

    @Test func `the lock file has its final mode when it appears`() throws {
        #expect(unsafe chmod(folder.path, 0o777) == 0)
        let first = try lock()
        #expect(try linkStatus(of: folder[".f.plist.lock"]).map { $0.st_mode & 0o777 } == 0o666)
        #expect(folder.names == [".f.plist.lock"])
        extendLifetime(first)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file to another user"))
    func `a folder that this user may not write is named`() throws {
        #expect(unsafe chmod(folder.path, 0o755) == 0)
        // Without and with the lock file of a user who may write.
        for hasLock in [false, true] {
            if hasLock { try folder.write("", to: ".f.plist.lock", mode: 0o600) }
            let outcome = try ChildProcess("ChildJobs", ["set as", target, "65534"]).wait()
            #expect(!outcome.isSuccess)
            #expect(outcome.output.contains("is not writable for this user"), "\(outcome.output)")
            #expect(!outcome.output.contains("chmod"), "\(outcome.output)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file to another user"))
    func `a lock file that admits no other user is named with its owner`() throws {
        #expect(unsafe chmod(folder.path, 0o777) == 0)
        try folder.write("", to: ".f.plist.lock", mode: 0o600)
        #expect(unsafe chown(folder[".f.plist.lock"], 12345, 12345) == 0)
        let outcome = try ChildProcess("ChildJobs", ["set as", target, "65534"]).wait()
        #expect(!outcome.isSuccess)
        #expect(outcome.output.contains("belongs to user 12345"), "\(outcome.output)")
    }
}
