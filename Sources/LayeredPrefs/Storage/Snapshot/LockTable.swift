import PrefsDocuments
import PrefsSystem

/// The locks of a snapshot, by path.
///
/// A lookup takes time proportional to the depth of the path and to the number of locks found, however many
/// locks there are elsewhere. A table never changes, so snapshots share it, and comparing identities usually
/// shows that no lock changed.
final class LockTable: Sendable {
    /// The locks on one path, and those below it by the next component.
    private struct Node {
        /// The locks on this path, the lowest first; of equally low ones the first of the list.
        var locks: [PrefsLock] = []
        var children: [String: Node] = [:]

        mutating func insert(_ lock: PrefsLock, at place: ArraySlice<String>) {
            guard let key = place.first else {
                let index = locks.firstIndex { $0.height > lock.height } ?? locks.endIndex
                return locks.insert(lock, at: index)
            }
            children[key, default: Node()].insert(lock, at: place.dropFirst())
        }
    }

    static let empty = LockTable([])

    /// All locks, in the order of the layers and the files.
    let all: [PrefsLock]
    private let root: Node

    init(_ locks: [PrefsLock]) {
        all = locks
        var root = Node()
        for lock in locks { root.insert(lock, at: lock.path.components[...]) }
        self.root = root
    }

    var isEmpty: Bool { all.isEmpty }
}

extension LockTable {
    /// Returns the locks on a path and on everything above it, the shortest path first.
    func locks(onOrAbove path: PrefsPath) -> [PrefsLock] {
        if isEmpty { return [] }
        var (node, locks) = (root, root.locks)
        for key in path.components {
            guard let child = node.children[key] else { break }
            locks += child.locks
            node = child
        }
        return locks
    }

    /// Returns the lock that holds for a path: the lowest of those on the path or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? {
        var locks = locks(onOrAbove: path)
        if Mutant.isActive(.lockWithoutDescendants) { locks.removeAll { $0.path != path } }
        if Mutant.isActive(.highestLockApplied) { return locks.max { $0.height < $1.height } }
        return locks.min { $0.height < $1.height }
    }

    /// Returns the lock that holds for a key under any of its names: the lowest one.
    func lock(on key: PrefsKeyName) -> PrefsLock? {
        isEmpty ? nil : key.paths.compactMap { lock(on: $0) }.min { $0.height < $1.height }
    }

    /// Returns the lowest lock on each path below a path, of those that bind values at a height; a lock above
    /// comes before those below it.
    ///
    /// - Parameter outermost: True to omit the locks below another one.
    func locks(below path: PrefsPath, binding height: Int = .max, outermost: Bool = false) -> [PrefsLock] {
        guard let start = node(at: path), !Mutant.isActive(.innerLocksIgnored) else { return [] }
        var locks: [PrefsLock] = []
        func collect(_ node: Node) {
            for child in node.children.values {
                let lowest = child.locks.first { $0.height < height }
                if let lowest { locks.append(lowest) }
                if lowest == nil || !outermost { collect(child) }
            }
        }
        collect(start)
        return locks
    }

    /// Returns true if there is a lock on a path, or above or below it.
    func concerns(_ path: PrefsPath) -> Bool {
        if isEmpty { return false }
        var node = root
        for key in path.components {
            guard let child = node.children[key] else { return false }
            if !child.locks.isEmpty { return true }
            node = child
        }
        return !node.children.isEmpty
    }

    private func node(at path: PrefsPath) -> Node? {
        var node = root
        for key in path.components {
            guard let child = node.children[key] else { return nil }
            node = child
        }
        return node
    }
}

extension LockTable: Equatable {
    static func == (lhs: LockTable, rhs: LockTable) -> Bool { lhs === rhs || lhs.all == rhs.all }
}
