import PrefsDocuments
import FileWatching

import PrefsSystem

/// The file as a writer finds it under the lock.
struct ExistingFile {
    /// The path without links.
    let path: String
    let format: PrefsFileFormat?
    let limits: PrefsLimits
    let policy: PrefsFilePolicy

    /// What the file holds; both `nil` if there is none, the document `nil` if it is broken and may be replaced.
    struct Version {
        var signature: FileSignature?
        var document: PrefsDocument?
        /// Whether the signature is enough to see a change.
        var isSettled = true
    }

    func read(
        known: (signature: FileSignature, document: PrefsDocument)?, keepingBroken: Bool
    ) throws(PrefsError) -> Version {
        if let known, FileSignature(path: path) == known.signature {
            return Version(signature: known.signature, document: known.document)
        }
        let start = FileSignature.now
        guard let file = try PrefsFileReader.read(path, limits: limits, policy: policy) else {
            return Version()
        }
        do {
            return Version(
                signature: file.signature, document: try parse(file.bytes, replacing: nil),
                isSettled: file.signature.showsChanges(since: start))
        } catch let error {
            guard !keepingBroken else {
                try keepCopy(of: file.bytes)
                return Version(signature: file.signature)
            }
            throw PrefsError(
                .broken, key: error.key, origin: error.origin,
                reason: "not written, since the file is broken: \(error.reason)")
        }
    }

    /// Whether the file is what it was when this version was read.
    func isStill(_ version: Version) throws(PrefsError) -> Bool {
        guard FileSignature(path: path) == version.signature else { return false }
        guard !version.isSettled, let document = version.document else { return true }
        let file = try PrefsFileReader.read(path, limits: limits, policy: policy)
        return file.map { document.isStored(as: $0.bytes) } ?? false
    }

    func parse(_ bytes: [UInt8], replacing old: PrefsDocument?) throws(PrefsError) -> PrefsDocument {
        let format = format ?? old?.format ?? PrefsFileFormat.detecting(bytes: bytes, path: path)
        return try format.parse(bytes, path: path, limits: limits)
    }

    /// Keeps what the file held as `NAME.broken`, as private as it was.
    private func keepCopy(of bytes: [UInt8]) throws(PrefsError) {
        let copy = path + ".broken"
        do throws(Errno) {
            let file = try TemporaryFile(beside: path)
            try file.write(bytes)
            if let status = try linkStatus(of: path) {
                fchmod(file.descriptor.number, status.st_mode & 0o777)
            }
            try file.descriptor.synchronize()
            try file.rename(to: copy)
        } catch let error {
            throw error.error(.unwritable, copy, "cannot keep the broken file")
        }
    }
}
