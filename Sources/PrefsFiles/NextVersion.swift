import FileWatching
import PrefsDocuments
import PrefsSystem

/// A file's next version, before it is in place.
enum NextVersion {
    /// A new file on disk, beside the file that it replaces, and the folder whose entries must be synced
    /// afterwards.
    case beside(TemporaryFile, OpenFolder.Entries)
    /// Bytes in memory, to be written into a file that cannot be replaced.
    case inPlace(OverwrittenFile)
}

/// A file that is written in place, because something is mounted over its name, such as a container's bind mount.
///
/// Other processes may read it half-written, and a crash leaves it so. It is opened before anything is
/// committed, so that a missing permission is found in time.
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
        // Only the owner may set exact times. Otherwise, the times that the kernel has just set have to do.
        try? descriptor.stamp()
        try descriptor.synchronize()
        return FileSignature(fileDescriptor: descriptor.number)
    }
}
