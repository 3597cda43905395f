package import PrefsDocuments
package import FileWatching

import PrefsSystem

/// Reads a file of any kind safely. It never blocks on a pipe or a device, never reads without bound, and never
/// returns a mixture of two revisions.
package struct PrefsFileReader {
    /// Returns the file's bytes and signature; `nil` only if there is no file at the path.
    ///
    /// Links are followed, because dotfile managers and mounted configurations use them. Throws `busy` if the file
    /// keeps changing while it is being read.
    package static func read(
        _ path: String, limits: PrefsLimits = .standard, policy: PrefsFilePolicy = .any
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        try PrefsFileReader(path: path, limits: limits, policy: policy).read(NamedFile(path: path))
    }

    /// Reads the file that a writer has found. Does not follow a link that has taken the file's name meanwhile.
    static func read(
        _ target: PathTarget, limits: PrefsLimits, policy: PrefsFilePolicy
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        try PrefsFileReader(path: target.path, limits: limits, policy: policy).read(target)
    }

    private static let attempts = 8

    private let path: String
    private let limits: PrefsLimits
    private let policy: PrefsFilePolicy

    init(path: String, limits: PrefsLimits, policy: PrefsFilePolicy) {
        (self.path, self.limits, self.policy) = (path, limits, policy)
    }

    // Opening a device, and even closing it, may have effects of its own: a watchdog starts, a tape rewinds. So
    // the reader opens a file only after it has found that the name belongs to a regular file. A user who may
    // rename files in the folder, but may not create devices, can then replace the file only by a pipe or a
    // socket, which have no such effects, or by a link, which is not followed. If a folder above becomes a link
    // meanwhile, the path leads to a device only if the device has the file's name. For a link, the reader opens
    // the link's target for its status only, and then opens exactly that file.
    private static let readingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY
    private static let statusFlags = openForStatus | readingFlags

    private enum Outcome {
        case read(bytes: [UInt8], signature: FileSignature)
        /// There is no file.
        case missing
        /// The file has changed meanwhile, or its name belongs to something else now.
        case changed
    }

    func read(_ place: some FilePlace) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature)? {
        for _ in 0..<Self.attempts {
            let status: stat?
            do { status = try place.linkStatus() } catch let error { throw failure(error) }
            guard let status else { return nil }
            switch status.isLink ? try readLinkedFile(at: place) : try readFile(at: place, status) {
            case .read(let bytes, let signature): return (bytes, signature)
            case .missing: return nil
            case .changed: continue
            }
        }
        throw PrefsError(
            .busy, origin: PrefsOrigin(file: path),
            reason: """
                the file keeps changing while it is being read; write a new file beside it, and rename that to this name
                """)
    }

    /// Reads a file whose name does not belong to a link.
    private func readFile(at place: some FilePlace, _ status: stat) throws(PrefsError) -> Outcome {
        try check(status)
        let file: Descriptor
        do throws(Errno) {
            file = try place.open(Self.readingFlags | O_NOFOLLOW)
        } catch let error {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return .changed }
            throw failure(error)
        }
        return try read(file, status)
    }

    /// Reads the file that a link leads to.
    private func readLinkedFile(at place: some FilePlace) throws(PrefsError) -> Outcome {
        let found: Descriptor
        do throws(Errno) {
            found = try place.open(Self.statusFlags)
        } catch let error {
            if error.code == ENOENT || error.code == ENOTDIR { return .missing }
            throw failure(error)
        }
        let status: stat
        do { status = try found.status() } catch let error { throw failure(error) }
        try check(status)
        let file: Descriptor
        do { file = try Self.reopen(found, place) } catch let error { throw failure(error) }
        return try read(file, status)
    }

    /// Opens the file that was found, for reading. If `/proc` is not mounted, it may be another file of the same
    /// name, and the caller finds that out.
    private static func reopen(
        _ found: borrowing Descriptor, _ place: some FilePlace
    ) throws(Errno) -> Descriptor {
        do throws(Errno) {
            return try found.reopened(readingFlags)
        } catch let error {
            guard error.code == ENOENT else { throw error }
        }
        return try place.open(readingFlags)
    }

    /// Reads an open file. It must be the file that has the status.
    private func read(_ file: borrowing Descriptor, _ status: stat) throws(PrefsError) -> Outcome {
        let (descriptor, signature) = (file.number, FileSignature(status))
        let bytes = try contents(of: file, expecting: Int(status.st_size)) {
            FileSignature(fileDescriptor: descriptor) == signature
        }
        guard let bytes, FileSignature(fileDescriptor: descriptor) == signature else { return .changed }
        return .read(bytes: bytes, signature: signature)
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

    /// Reads to the end of the file. The size need not predict the end: files in `/proc` report a size of 0.
    ///
    /// Returns `nil` if the file has more bytes than `size` and `isUnchanged` returns false: a file that grows all
    /// the time would otherwise be read up to the limit.
    private func contents(
        of file: borrowing Descriptor, expecting size: Int, isUnchanged: () -> Bool
    ) throws(PrefsError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let room = Self.room(after: bytes.count, expecting: size)
            let chunk: [UInt8]
            do { chunk = try file.read(atMost: room) } catch let error {
                throw failure(error)
            }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= limits.effectiveFileSize else { throw tooLarge(bytes.count) }
            guard !chunk.isEmpty else { return bytes }
            // There was space for another byte, so the end was reached.
            if size > 0, bytes.count == size { return bytes }
            if size > 0, bytes.count > size, !isUnchanged() { return nil }
        }
    }

    /// Returns the size of the next chunk: the rest of the file, with room for one more byte. If the size is
    /// unknown, the chunk is as large as everything that has been read so far, and at least 4 KiB. No chunk is
    /// larger than 16 MiB.
    static func room(after count: Int, expecting size: Int) -> Int {
        let room = count <= size && size > 0 ? size - count + 1 : max(4096, count)
        return min(room, 1 << 24)
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

/// A place to read a file from: a path, or a name in an open folder.
protocol FilePlace {
    /// Returns the status of the file, or of the link that leads to it; `nil` if there is neither.
    func linkStatus() throws(Errno) -> stat?

    /// Opens the file with some flags.
    func open(_ flags: CInt) throws(Errno) -> Descriptor
}

private struct NamedFile: FilePlace {
    let path: String

    func linkStatus() throws(Errno) -> stat? { try PrefsSystem.linkStatus(of: path) }

    func open(_ flags: CInt) throws(Errno) -> Descriptor { try Descriptor(opening: path, flags) }
}

extension PathTarget: FilePlace {
    func linkStatus() throws(Errno) -> stat? { try folder.status(of: name) }

    func open(_ flags: CInt) throws(Errno) -> Descriptor { try folder.openEntry(name, flags) }
}
