import PrefsDocuments
import PrefsSystem

/// The next version of a file, beside it, under a unique name: `.NAME.<16 hexadecimal digits>.tmp`.
///
/// Only the holder of the file lock creates one, so to that holder every other file with such a name is a
/// leftover.
final class TemporaryFile {
    let name: RawPath
    let descriptor: Descriptor
    private let folder: OpenFolder
    private var isRenamed = false

    /// Creates a temporary file for a file of a folder.
    init(of target: RawPath, in folder: OpenFolder) throws(Errno) {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        name = RawPath(Array(".".utf8) + target.bytes + Array(".\(padded).tmp".utf8))
        self.folder = folder
        descriptor = try folder.openEntry(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }

    deinit {
        if !isRenamed { folder.remove(name) }
    }

    func write(_ bytes: [UInt8]) throws(Errno) {
        try PrefsFiles.write(bytes, to: descriptor)
    }

    /// Sets the file's times to the current time.
    ///
    /// The kernel's own timestamps may be as coarse as ten milliseconds, and it reuses inode numbers: two
    /// versions of the same size, written within that time, could otherwise have the same signature, and a
    /// writer that trusts its cached contents would undo another writer's change.
    func stamp() throws(Errno) { try PrefsFiles.stamp(descriptor) }

    /// Replaces a file of the folder atomically.
    func rename(to target: RawPath) throws(Errno) {
        try folder.rename(name, to: target)
        isRenamed = true
    }

    /// Gives the file a name in the folder, unless that exists; the error is `EEXIST` then.
    func rename(toFree target: RawPath) throws(Errno) {
        try folder.rename(name, toFree: target)
        isRenamed = true
    }

    /// Removes the leftovers of killed writers; the caller holds the file lock.
    static func sweep(beside target: PathTarget) {
        for name in target.folder.names where isTemporary(name, of: target.name) {
            target.folder.remove(name)
        }
    }

    static func isTemporary(_ name: RawPath, of target: RawPath) -> Bool {
        let head = Array(".".utf8) + target.bytes + Array(".".utf8)
        let tail = Array(".tmp".utf8)
        guard name.bytes.starts(with: head), name.bytes.suffix(tail.count) == tail[...] else { return false }
        let digits = name.bytes.dropFirst(head.count).dropLast(tail.count)
        return digits.count == 16 && digits.allSatisfy { $0.hexadecimalValue != nil }
    }
}

/// Writes bytes to an open file.
func write(_ bytes: [UInt8], to file: borrowing Descriptor) throws(Errno) {
    let number = file.number
    try WithoutSizeSignal.run { () throws(Errno) in try writeAll(bytes, to: number) }
}

/// Sets a file's times to the current time.
func stamp(_ file: borrowing Descriptor) throws(Errno) {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    guard unsafe futimens(file.number, [now, now]) == 0 else { throw .last }
}

/// Prevents `SIGXFSZ` from ending the process when a write exceeds the process's file size limit.
///
/// The kernel sends that signal to the writing thread. It is blocked there during the write and removed from
/// the thread's pending signals, which leaves the error `EFBIG` for the caller.
private enum WithoutSizeSignal {
    static func run(_ body: () throws(Errno) -> Void) throws(Errno) {
        var signals = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGXFSZ)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        unsafe sigpending(&pending)
        let wasPending = unsafe sigismember(&pending, SIGXFSZ) == 1
        do {
            try body()
        } catch let error {
            if error.code == EFBIG, !wasPending { discard(&signals) }
            throw error
        }
    }

    private static func discard(_ signals: inout sigset_t) {
        #if os(Linux)
            var now = timespec()
            unsafe sigtimedwait(&signals, nil, &now)
        #endif
    }
}
