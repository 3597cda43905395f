import PrefsDocuments
import PrefsSystem

/// The exclusive right to write one file, held by at most one writer among all processes and threads.
///
/// It is an `flock` on the empty file `.NAME.lock` in the folder of the file `NAME`. The lock file is created
/// when first needed and never removed: two writers that lock two different files of that name do not exclude
/// each other.
final class PrefsFileLock {
    private let descriptor: Descriptor
    private let path: String

    /// Returns the path of a file's lock file.
    static func path(for target: String) -> String {
        "\(target.folder)/.\(target.fileName).lock"
    }

    /// Waits for the lock; throws `busy` if other writers hold it longer than `timeout`.
    init(on target: String, timeout: Duration) throws(PrefsError) {
        path = Self.path(for: target)
        descriptor = try Self.acquire(target, timeout: timeout)
    }

    /// Unlocks explicitly instead of relying on `close`: a child process, or a thread that waited for this
    /// writer, may hold the same open file description a little longer.
    deinit { flock(descriptor.number, LOCK_UN) }

    /// True if the lock still excludes other writers: false once the lock file has been removed or replaced.
    var isEffective: Bool { (try? Self.isStillNamed(path, descriptor)) == true }

    private static func acquire(_ target: String, timeout: Duration) throws(PrefsError) -> Descriptor {
        let path = path(for: target)
        let deadline = ContinuousClock.now + timeout
        let file = try PrefsError.reporting(.unwritable, path, "cannot lock the file") { () throws(Errno) in
            try acquire(path, until: deadline)
        }
        guard let file else {
            throw PrefsError(
                .busy, origin: PrefsOrigin(file: target),
                reason: "another writer has held the file lock \(path) for over \(timeout)")
        }
        return file
    }

    /// Returns the locked lock file; `nil` if other writers hold the lock until the deadline.
    private static func acquire(
        _ path: String, until deadline: ContinuousClock.Instant
    ) throws(Errno) -> Descriptor? {
        // At least one attempt, whatever the deadline.
        repeat {
            let file = try open(path)
            guard try lock(file, until: deadline) else { return nil }
            // Another process may have removed or replaced the lock file during the wait.
            if try isStillNamed(path, file) { return file }
        } while ContinuousClock.now < deadline
        return nil
    }

    private static func lock(
        _ file: borrowing Descriptor, until deadline: ContinuousClock.Instant
    ) throws(Errno) -> Bool {
        if try lockAtOnce(file) { return true }
        return try FlockWaiter.wait(for: file, until: deadline)
    }

    private static func open(_ path: String) throws(Errno) -> Descriptor {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        do throws(Errno) {
            let file = try Descriptor(opening: path, flags)
            guard try file.status().isRegularFile else { throw Errno(EINVAL) }
            return file
        } catch let error {
            guard error.code == ENOENT else { throw error }
        }
        do throws(Errno) {
            let file = try Descriptor(opening: path, flags | O_CREAT | O_EXCL, mode: 0o600)
            try share(file, in: path.folder)
            return file
        } catch let error {
            // Another writer created it first.
            guard error.code == EEXIST else { throw error }
        }
        return try open(path)
    }

    /// Lets every user who may write in the folder take the lock; otherwise, once an administrator had
    /// written a file, its owner could never write it again.
    private static func share(_ file: borrowing Descriptor, in folder: String) throws(Errno) {
        let status = try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY).status()
        if geteuid() == 0 { fchown(file.number, status.st_uid, status.st_gid) }
        let writers = status.st_mode & (S_IWGRP | S_IWOTH)
        fchmod(file.number, S_IRUSR | S_IWUSR | writers | writers << 1)
    }

    private static func isStillNamed(_ path: String, _ file: borrowing Descriptor) throws(Errno) -> Bool {
        guard let named = try linkStatus(of: path) else { return false }
        return named.isSameFile(as: try file.status())
    }

    private static func lockAtOnce(_ file: borrowing Descriptor) throws(Errno) -> Bool {
        let number = file.number
        switch retryingInterrupts({ flock(number, LOCK_EX | LOCK_NB) }) {
        case .success: return true
        case .failure(let error):
            guard error.code == EWOULDBLOCK else { throw error }
            return false
        }
    }
}
