import PrefsDocuments
import PrefsSystem

/// The exclusive right to write one file, held by at most one writer among all processes and threads.
///
/// It is an `flock` on the empty file `.NAME.lock` in the folder of the file `NAME`. The lock file is created
/// when first needed and never removed: otherwise, two writers could lock two different files of that name, and
/// would not exclude each other.
final class PrefsFileLock {
    private let file: LockFile
    private let search: LockFileSearch

    /// Returns the name of a file's lock file.
    static func name(for target: RawPath) -> RawPath {
        RawPath(Array(".".utf8) + target.bytes + Array(".lock".utf8))
    }

    /// Returns true if a writer has locked the file before.
    static func hasFile(beside target: PathTarget) -> Bool {
        // If that is unknown, locking finds out the reason.
        do { return try target.folder.status(of: name(for: target.name)) != nil } catch { return true }
    }

    /// Waits for the lock. Throws `busy` if other writers hold it longer than `timeout`.
    init(on target: PathTarget, timeout: Duration) throws(PrefsError) {
        search = LockFileSearch(for: target)
        file = try search.acquire(timeout: timeout)
    }

    /// True if the lock still excludes other writers; false once the lock file has been removed or replaced.
    var isEffective: Bool { (try? search.isStillNamed(file)) == true }
}

/// The search for a lock file that can be locked.
private struct LockFileSearch {
    private let target: PathTarget
    private let name: RawPath

    init(for target: PathTarget) {
        self.target = target
        name = PrefsFileLock.name(for: target.name)
    }

    private var folder: OpenFolder { target.folder }

    func acquire(timeout: Duration) throws(PrefsError) -> LockFile {
        let path = folder.path.appending(name).description
        let file: LockFile?
        do throws(Errno) {
            file = try acquire(until: ContinuousClock.now + timeout.clamped)
        } catch let error {
            if error.code == EACCES, isFolderClosed {
                throw error.error(
                    .unwritable, target.path, "the folder \(folder.path) is not writable for this user")
            }
            throw error.error(.unwritable, path, "cannot lock the file" + hint(error))
        }
        guard let file else {
            throw PrefsError(
                .busy, origin: PrefsOrigin(file: target.path),
                reason:
                    "not written because another process has held the file lock \(path) for over \(timeout); try again"
            )
        }
        return file
    }

    /// True if this user may not create files in the folder, and so cannot write any, whatever the lock file
    /// permits.
    private var isFolderClosed: Bool {
        let path = folder.path.description
        return unsafe faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES
    }

    /// Returns advice about a lock file that its owner lets no other user open.
    private func hint(_ error: Errno) -> String {
        guard error.code == EACCES, let status = try? folder.status(of: name) else { return "" }
        return
            " (the lock file belongs to user \(status.st_uid) and admits no other; remove it, or let that user"
            + " run chmod a+rw on it)"
    }

    /// Returns the locked lock file; `nil` if other writers hold the lock until the deadline.
    private func acquire(until deadline: ContinuousClock.Instant) throws(Errno) -> LockFile? {
        // At least one attempt, whatever the deadline.
        repeat {
            guard let file = try lock(LockFile(try open()), until: deadline) else { return nil }
            // Another process may have removed or replaced the lock file during the wait.
            if try isStillNamed(file) { return file }
        } while ContinuousClock.now < deadline
        return nil
    }

    private func lock(
        _ file: LockFile, until deadline: ContinuousClock.Instant
    ) throws(Errno) -> LockFile? {
        if try lockAtOnce(file) { return file }
        return try FlockQueue.lock(file, until: deadline)
    }

    private func lockAtOnce(_ file: LockFile) throws(Errno) -> Bool {
        let number = file.descriptor.number
        switch retryingInterrupts({ flock(number, LOCK_EX | LOCK_NB) }) {
        case .success: return true
        case .failure(let error):
            guard error.code == EWOULDBLOCK else { throw error }
            return false
        }
    }

    func isStillNamed(_ file: LockFile) throws(Errno) -> Bool {
        guard let named = try folder.status(of: name) else { return false }
        return named.isSameFile(as: try file.descriptor.status())
    }

    private func open() throws(Errno) -> Descriptor {
        while true {
            if let file = try openExisting() { return file }
            try create()
        }
    }

    private func openExisting() throws(Errno) -> Descriptor? {
        do throws(Errno) {
            let file = try folder.openEntry(name, O_RDWR | O_NONBLOCK | O_NOCTTY)
            guard try file.status().isRegularFile else { throw Errno(EINVAL) }
            return file
        } catch let error {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Creates the lock file, unless another writer does so first.
    ///
    /// The file gets its name only after its owner and mode let others lock it.
    private func create() throws(Errno) {
        let new = try TemporaryFile(of: target.name, in: folder)
        try share(new.descriptor)
        do throws(Errno) {
            try folder.link(new.name, to: name)
        } catch let error {
            switch error.code {
            // Another writer created it, or took this file for the leftover of a killed writer.
            case EEXIST, ENOENT: break
            // The file system has no hard links.
            case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: try createInPlace()
            default: throw error
            }
        }
    }

    private func createInPlace() throws(Errno) {
        do throws(Errno) {
            try share(try folder.openEntry(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600))
        } catch let error {
            guard error.code == EEXIST else { throw error }
        }
    }

    /// Lets every user who may write in the folder take the lock. Otherwise, once an administrator had written a
    /// file, its owner could never write it again.
    private func share(_ file: borrowing Descriptor) throws(Errno) {
        let status = try folder.status()
        if geteuid() == 0 { try? file.takeOwner(of: status) }
        let writers = status.st_mode & (S_IWGRP | S_IWOTH)
        fchmod(file.number, S_IRUSR | S_IWUSR | writers | writers << 1)
    }
}
