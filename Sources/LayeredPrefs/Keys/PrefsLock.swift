public import PrefsDocuments

/// A key that the layers above the locking layer cannot override.
public struct PrefsLock: Sendable, Hashable {
    /// The locked key; everything below it is locked, too.
    public var key: String { path.name }
    let path: PrefsPath
    /// The locking layer's height; the layers above it are locked out.
    var height: Int
    /// The part of the origin that all locks of a file share. It is stored once, because a file may have a hundred
    /// thousand locks.
    private(set) var place: Place
    /// The line in the file; `nil` if the place says everything.
    private let line: Int32?
    /// The key as the line spells it, if that is a former name of the locked key.
    private let spelling: String?

    init(_ path: PrefsPath, origin: PrefsOrigin, height: Int = 0) {
        self.init(path, at: Place(origin), line: nil, height: height)
    }

    /// Creates a lock from a line of a file.
    init(_ path: PrefsPath, at place: Place, line: Int) {
        self.init(path, at: place, line: Int32(clamping: line), height: 0)
    }

    private init(_ path: PrefsPath, at place: Place, line: Int32?, height: Int, spelling: String? = nil) {
        self.path = path
        self.place = place
        self.line = line
        self.height = height
        self.spelling = spelling
    }

    /// The locking layer, with the file and line of the lock.
    public var origin: PrefsOrigin {
        guard let line else { return place.origin }
        var origin = place.origin
        origin.position = .line(Int(line), column: nil)
        origin.spelling = spelling ?? key
        return origin
    }

    /// Returns the lock on another name of its key.
    func held(at name: PrefsPath) -> PrefsLock {
        PrefsLock(name, at: place, line: line, height: height, spelling: spelling ?? key)
    }

    /// Returns the lock for an outer stack, with the height that the locking layer has there.
    func raised(by base: Int, at place: Place) -> PrefsLock {
        var lock = self
        lock.height += base
        lock.place = place
        return lock
    }
}

extension PrefsLock {
    /// Returns the error of a write of a key to a higher layer.
    func error(forWriting written: String, to target: String) -> PrefsError {
        let layer = place.origin.layer.map { "“\($0)”" } ?? "a lower layer"
        let remedy =
            place.origin.file.map { "remove the lock from \($0)" } ?? "have the program unlock the key"
        return PrefsError(
            .locked, key: written, origin: origin,
            reason: """
                not written to “\(target)” because the lock on “\(key)” in \(layer) forbids writes to higher \
                layers; write to \(layer), or \(remedy)
                """)
    }

    /// An origin that locks share.
    final class Place: Sendable, Hashable {
        let origin: PrefsOrigin

        init(_ origin: PrefsOrigin) { self.origin = origin }

        static func == (lhs: Place, rhs: Place) -> Bool { lhs === rhs || lhs.origin == rhs.origin }

        func hash(into hasher: inout Hasher) { hasher.combine(origin) }
    }
}
