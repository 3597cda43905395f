/// The way along a path as the kernel would go it, one lookup at a time, with the links followed by hand.
///
/// It asks where to look and is told what is there; it touches no file. A copy taken before a lookup is where
/// the way is taken up again when that lookup's answer has changed.
struct PathWalk: Sendable, Hashable {
    /// A name looked up in a directory whose own path holds no link.
    struct Lookup: Sendable, Hashable {
        let directory: String
        let name: String
        /// Where the name leads to, if it is no link.
        let path: String

        init(directory: String, name: String) {
            self.directory = directory
            self.name = name
            path = directory == "/" ? "/" + name : directory + "/" + name
        }
    }

    /// What a lookup found.
    enum Found: Sendable, Hashable {
        case directory
        case link(target: String)
        case other
    }

    enum Ending: Sendable, Hashable {
        /// Everything was found; `path` holds no links.
        case reached
        /// The name looked up is not there, or is no directory though the path goes on.
        case missing
        /// As many links as the kernel refuses to follow: a circle.
        case tooManyLinks
    }

    /// Where the walk has got to: a path without links.
    private(set) var path = "/"
    private(set) var ending: Ending?
    /// Components still ahead, the next one last.
    private var ahead: [Substring]
    private var links = 0

    /// - Parameter path: an absolute path.
    init(_ path: String) {
        ahead = Self.components(path).reversed()
    }

    /// The next lookup, or nil at the end of the way.
    mutating func next() -> Lookup? {
        while ending == nil, let name = ahead.popLast() {
            if name == ".." {
                path = Self.parent(of: path)
            } else {
                return Lookup(directory: path, name: String(name))
            }
        }
        ending = ending ?? .reached
        return nil
    }

    /// Tells what `lookup` found; nil if nothing.
    mutating func found(_ found: Found?, at lookup: Lookup) {
        switch found {
        case nil: ending = .missing
        case .directory: path = lookup.path
        case .link(let target): follow(target)
        case .other:
            path = lookup.path
            if !ahead.isEmpty { ending = .missing }
        }
    }

    private mutating func follow(_ target: String) {
        links += 1
        guard links <= 40 else {
            ending = .tooManyLinks
            return
        }
        if target.hasPrefix("/") { path = "/" }
        ahead += Self.components(target).reversed()
    }

    private static func components(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
