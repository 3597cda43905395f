import PrefsSystem

/// A walk along a path as the kernel resolves it, one lookup at a time, with links followed explicitly.
///
/// The walk returns the lookups to make and takes their answers. It touches no file. If the answer to a lookup has
/// changed, the walk is resumed from a copy taken before that lookup.
struct PathWalk: Sendable, Hashable {
    /// A name to look up in a directory whose own path contains no link.
    struct Lookup: Sendable, Hashable {
        let directory: RawPath
        let name: RawPath
        /// The path that the name leads to unless it is a link.
        let path: RawPath

        init(directory: RawPath, name: RawPath) {
            self.directory = directory
            self.name = name
            path = directory.appending(name)
        }
    }

    /// The answer to a lookup.
    enum Answer: Sendable, Hashable {
        case directory
        case link(target: RawPath)
        case other
    }

    enum Ending: Sendable, Hashable {
        /// Everything was found; `path` contains no links.
        case reached
        /// The name looked up does not exist, or is not a directory although the path continues.
        case missing
        /// More links than the kernel follows: a cycle.
        case tooManyLinks
    }

    /// The path resolved so far, without links.
    private(set) var path: RawPath = "/"
    private(set) var ending: Ending?
    /// True if at most one name is left to look up.
    var isLast: Bool { remaining.count <= 1 }
    /// The remaining components, the next one last.
    private var remaining: [RawPath]
    private var links = 0

    /// - Parameter path: An absolute path.
    init(_ path: RawPath) {
        remaining = path.components.reversed()
    }

    /// Returns the next lookup; `nil` at the end of the walk.
    mutating func next() -> Lookup? {
        while ending == nil, let name = remaining.popLast() {
            if name == ".." {
                path = path.folder
            } else {
                return Lookup(directory: path, name: name)
            }
        }
        ending = ending ?? .reached
        return nil
    }

    /// Takes the answer to `lookup`; `nil` if the name does not exist.
    mutating func take(_ answer: Answer?, to lookup: Lookup) {
        switch answer {
        case nil: ending = .missing
        case .directory: path = lookup.path
        case .link(let target): follow(target)
        case .other:
            path = lookup.path
            if !remaining.isEmpty { ending = .missing }
        }
    }

    private mutating func follow(_ target: RawPath) {
        links += 1
        guard links <= 40 else {
            ending = .tooManyLinks
            return
        }
        if target.isAbsolute { path = "/" }
        remaining += target.components.reversed()
    }
}
