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
        let reader = PrefsFileReader(path: path, limits: limits, policy: policy)
        for _ in 0..<attempts {
            guard let file = try reader.open() else { return nil }
            if let result = try reader.read(file) { return result }
        }
        throw PrefsError(
            .busy, origin: PrefsOrigin(file: path), reason: "the file keeps changing while it is being read")
    }

    private static let attempts = 8

    private let path: String
    private let limits: PrefsLimits
    private let policy: PrefsFilePolicy

    /// Returns `nil` only if there is no file.
    private func open() throws(PrefsError) -> Descriptor? {
        do {
            return try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch let error {
            guard error.code != ENOENT, error.code != ENOTDIR else { return nil }
            throw failure(error)
        }
    }

    /// Returns `nil` if the file changed during the read.
    private func read(
        _ file: borrowing Descriptor
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        let status: stat
        do { status = try file.status() } catch let error { throw failure(error) }
        try check(status)
        let before = FileSignature(fileDescriptor: file.number)
        let descriptor = file.number
        let bytes = try contents(of: file, expecting: Int(status.st_size)) {
            FileSignature(fileDescriptor: descriptor) == before
        }
        guard let bytes else { return nil }
        let after = FileSignature(fileDescriptor: file.number)
        guard before == after else { return nil }
        return (bytes, after)
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
