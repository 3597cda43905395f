public import PrefsDocuments
/// A key that the layers above the locking one cannot change.
public struct PrefsLock: Sendable, Hashable {
    /// The locked key; everything beneath it is locked too.
    public var key: String { path.name }
    /// The locking layer, and the file and line that say so.
    public var origin: PrefsOrigin
    let path: PrefsPath
    /// The locking layer's height; layers above it are ruled out.
    var height: Int

    init(_ path: PrefsPath, origin: PrefsOrigin, height: Int = 0) {
        self.path = path
        self.origin = origin
        self.height = height
    }
}
