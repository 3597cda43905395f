import PrefsSystem

/// The file that a path leads to, however the path is spelled: two paths to one file, through links, have the
/// same identity.
///
/// The order is arbitrary but the same for all writers. Those that lock several files lock them in this order,
/// so that two of them cannot wait for each other.
package struct PrefsFileIdentity: Hashable, Comparable, Sendable {
    // Of the folder; 0 while it does not exist.
    private let device: UInt64
    private let inode: UInt64
    private let name: RawPath

    /// Finds the file that a path leads to now.
    package init(_ path: String) {
        guard let target = try? PathTargetSearch.target(of: path, creationMode: nil),
            let folder = try? target.folder.status()
        else {
            (device, inode, name) = (0, 0, RawPath(path))
            return
        }
        (device, inode, name) = (
            UInt64(truncatingIfNeeded: folder.st_dev), UInt64(folder.st_ino), target.name
        )
    }

    package static func < (left: PrefsFileIdentity, right: PrefsFileIdentity) -> Bool {
        if left.device != right.device { return left.device < right.device }
        if left.inode != right.inode { return left.inode < right.inode }
        return left.name.bytes.lexicographicallyPrecedes(right.name.bytes)
    }
}
