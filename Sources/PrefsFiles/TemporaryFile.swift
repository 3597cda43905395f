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

    /// Replaces a file of the folder atomically.
    func rename(to target: RawPath) throws(Errno) {
        try folder.rename(name, to: target)
        isRenamed = true
    }

    /// Gives the file a name in the folder. Throws `EEXIST` if the name exists.
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
