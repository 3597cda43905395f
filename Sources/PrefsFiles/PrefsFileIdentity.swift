import PrefsSystem

/// The file that a path leads to, however the path is spelled: two paths to one file, through links, have the
/// same identity.
///
/// The order is arbitrary but the same for all writers. A writer that locks several files locks them in this
/// order, so that two writers cannot wait for each other.
package struct PrefsFileIdentity: Hashable, Comparable, Sendable {
    // The lowest folder that exists; 0 if no folder can be reached.
    private let device: UInt64
    private let inode: UInt64
    /// The path below that folder.
    private let name: RawPath

    /// Finds the file that a path leads to now, or would lead to if its missing folders were created.
    package init(_ path: String) {
        guard let (folder, name) = try? PathTargetSearch.place(of: path), let status = try? folder.status()
        else {
            (device, inode, name) = (0, 0, RawPath(path))
            return
        }
        (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        self.name = name
    }

    package static func < (left: PrefsFileIdentity, right: PrefsFileIdentity) -> Bool {
        if left.device != right.device { return left.device < right.device }
        if left.inode != right.inode { return left.inode < right.inode }
        return left.name.bytes.lexicographicallyPrecedes(right.name.bytes)
    }
}
