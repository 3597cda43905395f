import TestSupport
import FileWatching
import Foundation
import PrefsSystem
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

struct PrefsFileReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func error(reading name: String, limits: PrefsLimits = .standard, policy: PrefsFilePolicy = .any)
        -> PrefsError?
    {
        do throws(PrefsError) {
            _ = try PrefsFileReader.read(folder[name], limits: limits, policy: policy)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 300_000])
    func `reads the whole file and its signature`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try folder.write(bytes, to: "f")
        let file = try #require(try PrefsFileReader.read(folder["f"]))
        #expect(file.bytes == bytes)
        #expect(file.signature == FileSignature(path: folder["f"]))
    }

    @Test func `a missing file or folder is not an error`() throws {
        try folder.write("x", to: "f")
        #expect(try PrefsFileReader.read(folder["none"]) == nil)
        #expect(try PrefsFileReader.read(folder["none/deeper"]) == nil)
        #expect(try PrefsFileReader.read(folder["f/deeper"]) == nil)
    }

    @Test func `a file in proc is read although its size is zero`() throws {
        let file = try #require(try PrefsFileReader.read("/proc/self/status"))
        #expect(file.bytes.count > 100)
    }

    /// Returns the number of system calls that this thread has made to read so far.
    private static func readCalls() throws -> Int {
        let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("syscr: ") })
        return try #require(Int(line.dropFirst(7)))
    }

    @Test func `a large file of unknown size is read in few calls`() throws {
        let before = try Self.readCalls()
        let file = try #require(try PrefsFileReader.read("/proc/self/smaps"))
        // The kernel returns at most a page of such a file at once, and seldom much less.
        #expect(try Self.readCalls() - before < 100 + file.bytes.count / 500)
    }

    @Test(arguments: [(0, 0), (0, 10), (10, 0), (10, 10), (10, 11), (5000, 100), (1 << 30, 1 << 20)])
    func `chunks of a growing file grow with it`(count: Int, size: Int) {
        let room = PrefsFileReader.room(after: count, expecting: size)
        #expect(room >= 1 && room <= 1 << 24)
        if count > size { #expect(room >= min(max(count, 4096), 1 << 24)) }
        if size > 0, count <= size { #expect(room == size - count + 1) }
    }

    @Test func `a file that is not regular is rejected without blocking`() throws {
        #expect(unsafe mkfifo(folder["pipe"], 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder["folder"], withIntermediateDirectories: false)
        #expect(error(reading: "pipe")?.code == .notARegularFile)
        #expect(error(reading: "pipe")?.reason.contains("a pipe") == true)
        #expect(error(reading: "folder")?.reason.contains("a folder") == true)
        try FileManager.default.createSymbolicLink(atPath: folder["zero"], withDestinationPath: "/dev/zero")
        #expect(error(reading: "zero")?.reason.contains("a device") == true)
        let socket = try UnixSocket(at: folder["socket"])
        #expect(error(reading: "socket")?.code == .notARegularFile)
        _ = socket
    }

    @Test func `a link is followed and a loop is an error`() throws {
        try folder.write("x", to: "f")
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "f")
        try FileManager.default.createSymbolicLink(atPath: folder["loop"], withDestinationPath: "loop")
        try FileManager.default.createSymbolicLink(atPath: folder["dangling"], withDestinationPath: "none")
        #expect(try PrefsFileReader.read(folder["link"])?.bytes == Array("x".utf8))
        #expect(try PrefsFileReader.read(folder["dangling"]) == nil)
        #expect(error(reading: "loop")?.code == .unreadable)
    }

    private func contents(of name: String, replacing replace: @escaping () -> Void) throws -> [UInt8]? {
        let place = ReplacedFile(path: folder[name], replace: replace)
        return try PrefsFileReader(path: place.path, limits: .standard, policy: .any).read(place)?.bytes
    }

    @Test func `a name that is given to a link, a pipe or no file while it is opened`() throws {
        func replace(_ name: String, with other: String) {
            #expect(unsafe rename(folder[other], folder[name]) == 0)
        }
        try folder.write("old", to: "f")
        try folder.write("target", to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "target")
        #expect(try contents(of: "f") { replace("f", with: "link") } == Array("target".utf8))

        try folder.write("old", to: "g")
        try FileManager.default.createSymbolicLink(atPath: folder["device"], withDestinationPath: "/dev/zero")
        let error = #expect(throws: PrefsError.self) {
            try contents(of: "g") { replace("g", with: "device") }
        }
        #expect(error?.code == .notARegularFile)

        try folder.write("old", to: "h")
        #expect(unsafe mkfifo(folder["pipe"], 0o600) == 0)
        let second = #expect(throws: PrefsError.self) { try contents(of: "h") { replace("h", with: "pipe") } }
        #expect(second?.reason.contains("a pipe") == true)

        try folder.write("old", to: "i")
        #expect(try contents(of: "i") { _ = unsafe unlink(folder["i"]) } == nil)
    }

    @Test func `a file above the size limit is rejected without being read`() throws {
        #expect(unsafe truncate(try folder.write("", to: "sparse"), 1 << 40) == 0)
        #expect(error(reading: "sparse")?.code == .tooLarge)
        try folder.write("12345", to: "five")
        #expect(error(reading: "five", limits: PrefsLimits(fileSize: 4))?.code == .tooLarge)
        #expect(error(reading: "five", limits: PrefsLimits(fileSize: 5)) == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `an unreadable file is not reported as missing`() throws {
        try folder.write("x", to: "f", mode: 0o000)
        let error = error(reading: "f")
        #expect(error?.code == .unreadable)
        #expect(error?.errno == EACCES)
    }

    @Test func `the trusted policy names its objection`() throws {
        try folder.write("x", to: "private", mode: 0o644)
        try folder.write("x", to: "group", mode: 0o664)
        try folder.write("x", to: "others", mode: 0o646)
        #expect(error(reading: "private", policy: .trusted) == nil)
        #expect(error(reading: "group", policy: .trusted)?.code == .untrusted)
        #expect(error(reading: "group", policy: .trusted)?.reason.contains("writable by its group") == true)
        #expect(
            error(reading: "others", policy: .trusted)?.reason.contains("writable by every user") == true)
        #expect(error(reading: "others") == nil)
    }

    @Test(
        arguments: [
            (0o600, 0, 7, true), (0o600, 7, 7, true), (0o600, 8, 7, false), (0o620, 7, 7, false),
            (0o602, 0, 7, false),
            (0o644, 0, 0, true), (0o644, 1, 0, false),
        ] as [(mode_t, uid_t, uid_t, Bool)])
    func `trusts only root and its own user`(mode: mode_t, owner: uid_t, user: uid_t, isTrusted: Bool) {
        let objection = PrefsFilePolicy.trusted.objection(mode: mode, owner: owner, user: user)
        #expect((objection == nil) == isTrusted)
        #expect(PrefsFilePolicy.any.objection(mode: mode, owner: owner, user: user) == nil)
    }

    /// Opening some devices has side effects.
    @Test func `a file that is not a regular one is not opened`() throws {
        #expect(unsafe mkfifo(folder["pipe"], 0o600) == 0)
        let watcher = Descriptor(inotify_init1(Int32(IN_NONBLOCK)))
        #expect(unsafe inotify_add_watch(watcher.number, folder["pipe"], UInt32(IN_OPEN)) > 0)
        let error = #expect(throws: PrefsError.self) { try PrefsFileReader.read(folder["pipe"]) }
        #expect(error?.code == .notARegularFile)
        var event = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(watcher.number, &event, event.count)
        #expect(count == -1, "it was opened")
    }
}

/// A file whose name gets another file after its status was read.
private final class ReplacedFile: FilePlace {
    let path: String
    private var replace: (() -> Void)?

    init(path: String, replace: @escaping () -> Void) {
        (self.path, self.replace) = (path, replace)
    }

    func linkStatus() throws(Errno) -> stat? { try PrefsSystem.linkStatus(of: path) }

    func open(_ flags: CInt) throws(Errno) -> Descriptor {
        replace?()
        replace = nil
        return try Descriptor(opening: path, flags)
    }
}

/// A socket in the file system.
private final class UnixSocket {
    private let descriptor: CInt

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            unsafe buffer.copyBytes(from: path.utf8.prefix(100))
        }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }
}
