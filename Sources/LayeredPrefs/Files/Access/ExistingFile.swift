#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import FileWatching

/// The file as a writer finds it under the lock.
struct ExistingFile {
    let path: String
    let format: PrefsFileFormat?
    let limits: PrefsLimits
    let policy: PrefsFilePolicy

    /// What the file holds; both `nil` if there is none, the document `nil` if it is broken and may be replaced.
    struct Version {
        var signature: FileSignature?
        var document: PrefsDocument?
    }

    func read(
        known: (signature: FileSignature, document: PrefsDocument)?, keepingBroken: Bool
    ) throws(PrefsError) -> Version {
        if let known, FileSignature(path: path) == known.signature {
            return Version(signature: known.signature, document: known.document)
        }
        guard let file = try PrefsFileReader.read(path, limits: limits, policy: policy) else { return Version() }
        do {
            return Version(signature: file.signature, document: try parse(file.bytes, replacing: nil))
        } catch let error where keepingBroken {
            _ = error
            try keepBrokenCopy()
            return Version(signature: file.signature)
        } catch let error {
            throw PrefsError(
                .broken, key: error.key, origin: error.origin,
                reason: "not written, since the file is broken: \(error.reason)")
        }
    }

    func parse(_ bytes: [UInt8], replacing old: PrefsDocument?) throws(PrefsError) -> PrefsDocument {
        let format = format ?? old?.format ?? PrefsFileFormat.detecting(bytes: bytes, path: path)
        return try format.parse(bytes, path: path, limits: limits)
    }

    /// Gives the broken file a second name before the first goes to its successor.
    private func keepBrokenCopy() throws(PrefsError) {
        let copy = path + ".broken", step = path + ".broken.new"
        unsafe unlink(step)
        guard unsafe link(path, step) == 0, unsafe rename(step, copy) == 0 else {
            throw SystemError.last.error(.unwritable, copy, "cannot keep the broken file")
        }
    }
}
