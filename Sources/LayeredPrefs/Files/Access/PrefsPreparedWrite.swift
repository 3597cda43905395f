package import FileWatching

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file's next version, on disk beside it and not in force yet. It holds the file's lock.
///
/// It belongs to one thread. One that is neither committed nor discarded discards itself.
package final class PrefsPreparedWrite {
    /// What the file will hold.
    package let document: PrefsDocument

    private let target: String
    private let old: ExistingFile.Version
    private var step: Step

    /// The lock goes with the step, and is released when the step is over.
    private enum Step {
        case unchanged(PrefsFileLock)
        case written(TemporaryFile, PrefsFileLock)
        case over
    }

    init(unchanged old: ExistingFile.Version, lock: PrefsFileLock) {
        document = old.document ?? .empty
        target = ""
        self.old = old
        step = .unchanged(lock)
    }

    init(
        _ bytes: [UInt8], document: PrefsDocument, replacing old: ExistingFile.Version, at target: String,
        options: PrefsFileWriteOptions, lock: PrefsFileLock
    ) throws(PrefsError) {
        self.document = document
        self.target = target
        self.old = old
        do {
            let file = try TemporaryFile(beside: target)
            try file.write(bytes)
            try Self.dress(file, as: old, at: target, options)
            try file.stamp()
            try file.descriptor.synchronize()
            step = .written(file, lock)
        } catch let error as SystemError {
            throw error.error(.unwritable, target, "cannot write the file")
        } catch let error as PrefsError {
            throw error
        } catch {
            throw PrefsError(.unwritable, origin: PrefsOrigin(file: target), reason: "\(error)")
        }
    }

    /// Puts the new version in force; when this returns, it is on disk.
    ///
    /// - Returns: The file's signature, `nil` if nothing was written and there is no file, and what it holds.
    /// - Throws: `busy` if somebody who does not lock changed the file since `prepare`; nothing is written then.
    package func commit() throws(PrefsError) -> (signature: FileSignature?, document: PrefsDocument) {
        switch takeStep() {
        case .over:
            throw PrefsError(
                .unsupported, origin: PrefsOrigin(file: target), reason: "this write is over already")
        case .unchanged: return (old.signature, document)
        case .written(let file, let lock):
            defer { extendLifetime(lock) }
            return (try replace(with: file), document)
        }
    }

    private func replace(with file: TemporaryFile) throws(PrefsError) -> FileSignature? {
        try checkUnchanged()
        do {
            try file.rename(to: target)
            let signature = FileSignature(fileDescriptor: file.descriptor.number)
            try Folder.synchronize(target.folder)
            return signature
        } catch let error {
            throw error.error(.unwritable, target, "cannot put the new file in place")
        }
    }

    /// Commits; `nil` if the file changed since `prepare`, which is then worth another attempt.
    func commitUnlessOvertaken() throws(PrefsError) -> (signature: FileSignature?, document: PrefsDocument)? {
        do {
            return try commit()
        } catch let error {
            guard error.code == .busy else { throw error }
            return nil
        }
    }

    /// Leaves the file as it was.
    package func discard() {
        _ = takeStep()
    }

    private func takeStep() -> Step {
        defer { step = .over }
        return step
    }

    private func checkUnchanged() throws(PrefsError) {
        guard FileSignature(path: target) != old.signature else { return }
        throw PrefsError(
            .busy, origin: PrefsOrigin(file: target),
            reason: "somebody changed the file, without locking it, while it was being written")
    }

    private static func dress(
        _ file: TemporaryFile, as old: ExistingFile.Version, at target: String,
        _ options: PrefsFileWriteOptions
    ) throws {
        guard old.signature != nil else {
            guard fchmod(file.descriptor.number, mode_t(options.creationMode)) == 0 else {
                throw SystemError.last
            }
            return
        }
        // Without O_NONBLOCK a pipe that took the file's place would block us here.
        let original = try Descriptor(opening: target, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        try FileAttributes(path: target, accepted: options.acceptedLosses)
            .copy(from: original, to: file.descriptor)
    }
}
