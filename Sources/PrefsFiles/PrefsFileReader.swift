package import PrefsDocuments
package import FileWatching

import PrefsSystem

/// Reads a file of any kind safely: never blocks on a pipe or a device, never reads without bound, and never
/// returns a mixture of two versions.
package struct PrefsFileReader {
    /// Returns the file's bytes and signature; `nil` only if there is no file at the path.
    ///
    /// Links are followed, since dotfile managers and mounted configurations use them. If the file keeps
    /// changing while it is being read, the error is `busy`.
    package static func read(
        _ path: String, limits: PrefsLimits = .standard, policy: PrefsFilePolicy = .any
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        try PrefsFileReader(path: path, limits: limits, policy: policy).read { flags throws(Errno) in
            try Descriptor(opening: path, flags)
        }
    }

    /// Reads the file that a writer has found; a link that has taken its name meanwhile is not followed.
    static func read(
        _ target: PathTarget, limits: PrefsLimits, policy: PrefsFilePolicy
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        try PrefsFileReader(path: target.path, limits: limits, policy: policy).read { flags throws(Errno) in
            try target.folder.openEntry(target.name, flags)
        }
    }

    private static let attempts = 8

    private let path: String
    private let limits: PrefsLimits
    private let policy: PrefsFilePolicy

    // Opening a device, and even closing it, may have effects of its own: a watchdog starts, a tape rewinds.
    // So a file is first opened for nothing but its status, then for reading if it is a regular file.
    private static let statusFlags = openForStatus | readingFlags
    private static let readingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY

    /// - Parameter open: Opens the file with the flags that it is given.
    private func read(
        opening open: (CInt) throws(Errno) -> Descriptor
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        for _ in 0..<Self.attempts {
            let found: Descriptor
            do throws(Errno) {
                found = try open(Self.statusFlags)
            } catch let error {
                guard error.code != ENOENT, error.code != ENOTDIR else { return nil }
                throw failure(error)
            }
            if let result = try read(found, open) { return result }
        }
        throw PrefsError(
            .busy, origin: PrefsOrigin(file: path), reason: "the file keeps changing while it is being read")
    }

    /// Returns `nil` if the file changed during the read.
    private func read(
        _ found: borrowing Descriptor, _ open: (CInt) throws(Errno) -> Descriptor
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        let status: stat
        do { status = try found.status() } catch let error { throw failure(error) }
        try check(status)
        let file: Descriptor
        do { file = try Self.reopen(found, open) } catch let error { throw failure(error) }
        let descriptor = file.number
        let bytes = try contents(of: file, expecting: Int(status.st_size)) {
            FileSignature(fileDescriptor: descriptor) == FileSignature(status)
        }
        guard let bytes else { return nil }
        let after = FileSignature(fileDescriptor: file.number)
        guard FileSignature(status) == after else { return nil }
        return (bytes, after)
    }

    /// Opens the file for reading that was found; another one of the same name only if `/proc` is not mounted,
    /// which the caller then finds out.
    private static func reopen(
        _ found: borrowing Descriptor, _ open: (CInt) throws(Errno) -> Descriptor
    ) throws(Errno) -> Descriptor {
        #if os(Linux)
            do throws(Errno) {
                return try found.reopened(readingFlags)
            } catch let error {
                guard error.code == ENOENT else { throw error }
            }
        #endif
        return try open(readingFlags)
    }

    private func check(_ status: stat) throws(PrefsError) {
        guard status.isRegularFile else {
            throw PrefsError(
                .notARegularFile, origin: PrefsOrigin(file: path),
                reason: "expected a regular file, found \(Self.kind(of: status.st_mode))")
        }
        if let objection = policy.objection(mode: status.st_mode, owner: status.st_uid, user: geteuid()) {
            throw PrefsError(.untrusted, origin: PrefsOrigin(file: path), reason: objection)
        }
        guard status.st_size <= limits.effectiveFileSize else { throw tooLarge(Int(status.st_size)) }
    }

    /// Reads to the end of the file, which the size need not predict: files in `/proc` report a size of 0.
    ///
    /// Returns `nil` if the file is larger than its size and `isUnchanged` says that it has grown: a file that
    /// grows all the time would otherwise be read up to the limit.
    private func contents(
        of file: borrowing Descriptor, expecting size: Int, isUnchanged: () -> Bool
    ) throws(PrefsError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let count: Int
            do {
                count = try appendChunk(
                    from: file, room: Self.room(after: bytes.count, expecting: size), to: &bytes)
            } catch let error {
                throw failure(error)
            }
            guard bytes.count <= limits.effectiveFileSize else { throw tooLarge(bytes.count) }
            guard count > 0 else { return bytes }
            // There was space for another byte, so the end was reached.
            if size > 0, bytes.count == size { return bytes }
            if size > 0, bytes.count > size, !isUnchanged() { return nil }
        }
    }

    /// Returns the size of the next chunk: what is left, with room for one more byte, or as much again as has
    /// been read of a file whose size is unknown.
    static func room(after count: Int, expecting size: Int) -> Int {
        let room = count <= size && size > 0 ? size - count + 1 : max(4096, count)
        return min(room, 1 << 24)
    }

    private func appendChunk(
        from file: borrowing Descriptor, room: Int, to bytes: inout [UInt8]
    ) throws(Errno) -> Int {
        let descriptor = file.number
        var outcome = Result<Int, Errno>.success(0)
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            outcome = unsafe readBytes(descriptor, into: buffer)
            // The kernel wrote exactly as many bytes as it reports, and none on failure.
            count = (try? outcome.get()) ?? 0
        }
        let count = try outcome.get()
        if bytes.isEmpty { bytes = chunk } else { bytes.append(contentsOf: chunk) }
        return count
    }

    private func tooLarge(_ size: Int) -> PrefsError {
        PrefsError(
            .tooLarge, origin: PrefsOrigin(file: path),
            reason: "at least \(size) bytes; the limit is \(limits.effectiveFileSize)")
    }

    private static func kind(of mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }

    /// Returns the error for a failed system call. A socket and a device without a driver cannot be opened at all.
    private func failure(_ error: Errno) -> PrefsError {
        switch error.code {
        case ENXIO, ENODEV, EISDIR:
            PrefsError(
                .notARegularFile, origin: PrefsOrigin(file: path), errno: error.code,
                reason: "expected a regular file")
        default: error.error(.unreadable, path, "cannot read the file")
        }
    }
}
