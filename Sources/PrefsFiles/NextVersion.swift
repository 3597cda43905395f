import FileWatching
import PrefsDocuments
import PrefsSystem

/// A file's next version, before it is in place.
enum NextVersion {
    /// On disk beside the file, which it replaces, with the folder whose entries are synced then.
    case beside(TemporaryFile, OpenFolder.Entries)
    /// In memory, to be written into the file, which cannot be replaced.
    case inPlace(OverwrittenFile)
}

/// A file that is written in place, because something is mounted over its name: a bind mount, as of a container.
///
/// Other processes may read it half-written, and a crash leaves it so. It is opened before anything is committed, so
/// that a missing permission is found out then.
final class OverwrittenFile {
    private let descriptor: Descriptor
    private let bytes: [UInt8]

    init(_ name: RawPath, in folder: OpenFolder, holding bytes: [UInt8]) throws(Errno) {
        descriptor = try folder.openEntry(name, O_WRONLY | O_NONBLOCK | O_NOCTTY)
        self.bytes = bytes
    }

    /// Writes the contents and syncs them to disk.
    func overwrite() throws(Errno) -> FileSignature? {
        try descriptor.write(bytes)
        guard ftruncate(descriptor.number, off_t(bytes.count)) == 0 else { throw .last }
        // Only the owner may set other times than the kernel has just set.
        try? descriptor.stamp()
        try descriptor.synchronize()
        return FileSignature(fileDescriptor: descriptor.number)
    }
}
