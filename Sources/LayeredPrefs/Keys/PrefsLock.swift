public import PrefsDocuments

/// A key that the layers above the locking one cannot override.
public struct PrefsLock: Sendable, Hashable {
    /// The locked key; everything below it is locked, too.
    public var key: String { path.name }
    /// The locking layer, with the file and line of the lock.
    public var origin: PrefsOrigin
    let path: PrefsPath
    /// The locking layer's height; the layers above it are locked out.
    var height: Int

    init(_ path: PrefsPath, origin: PrefsOrigin, height: Int = 0) {
        self.path = path
        self.origin = origin
        self.height = height
    }
}
