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
        /// The index of the lowest lock on this path, and of equally low ones the first of the list.
        var lowest: Int32?
        var children: [String: Node] = [:]
    }

    static let empty = LockTable([])

    /// All locks, in the order of the layers and the files.
    let all: [PrefsLock]
    /// For each lock the next higher one on the same path; empty if no path has several.
    private let higher: [Int32: Int32]
    private let root: Node

    init(_ locks: [PrefsLock]) {
        all = locks
        var root = Node()
        var higher: [Int32: Int32] = [:]
        func insert(_ index: Int32, at place: ArraySlice<String>, in node: inout Node) {
            guard let key = place.first else {
                return Self.insert(index, into: &node.lowest, &higher) { locks[Int($0)].height }
            }
            insert(index, at: place.dropFirst(), in: &node.children[key, default: Node()])
        }
        for (index, lock) in locks.enumerated() {
            insert(Int32(index), at: lock.path.components[...], in: &root)
        }
        (self.root, self.higher) = (root, higher)
    }

    /// Inserts a lock into those on one path, unless there is one of its height, which then says the same.
    private static func insert(
        _ index: Int32, into lowest: inout Int32?, _ higher: inout [Int32: Int32], height: (Int32) -> Int
    ) {
        var (lower, next): (Int32?, Int32?) = (nil, lowest)
        while let other = next, height(other) <= height(index) {
            if height(other) == height(index) { return }
            (lower, next) = (other, higher[other])
        }
        higher[index] = next
        if let lower { higher[lower] = index } else { lowest = index }
    }

    var isEmpty: Bool { all.isEmpty }
}

extension LockTable {
    /// Returns the locks on a path and on everything above it, the shortest path first.
    func locks(onOrAbove path: PrefsPath) -> [PrefsLock] {
        if isEmpty { return [] }
        var (node, locks): (Node, [PrefsLock]) = (root, [])
        for key in path.components {
            guard let child = node.children[key] else { break }
            var next = child.lowest
            while let index = next {
                locks.append(all[Int(index)])
                next = higher.isEmpty ? nil : higher[index]
            }
            node = child
        }
        return locks
    }

    private func lowestLock(on node: Node) -> PrefsLock? { node.lowest.map { all[Int($0)] } }

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
    func locks(below path: PrefsPath, binding height: Int = .max) -> [PrefsLock] {
        guard let start = node(at: path), !Mutant.isActive(.innerLocksIgnored) else { return [] }
        var locks: [PrefsLock] = []
        func collect(_ node: Node) {
            for child in node.children.values {
                if let lowest = lowestLock(on: child), lowest.height < height { locks.append(lowest) }
                collect(child)
            }
        }
        collect(start)
        return locks
    }

    /// Returns the locks on parts of a value of a key, of those that bind values at a height; a lock above comes
    /// before those below it.
    ///
    /// A lock below one of the key's names holds below all of them, and of several at one place the lowest
    /// holds. The value that a lock supplies respects the locks within it, so those are omitted. With several
    /// names that is true only of locks of the same layer and higher ones: with `a` formerly `b`, the value of
    /// `a.x` that a lock of `user` supplies need not respect a lock of `system` on `b.x.y`.
    func locks(below names: [PrefsPath], binding height: Int) -> [InnerLock] {
        if Mutant.isActive(.innerLocksIgnored) { return [] }
        var (place, locks): ([String], [InnerLock]) = ([], [])
        /// - Parameters:
        ///   - nodes: Those at the place, one for each name that has one.
        ///   - ceiling: The height of the lowest lock above the nodes.
        func collect(_ nodes: [Node], below ceiling: Int) {
            for (key, children) in Self.children(of: nodes) {
                place.append(key)
                let lowest = children.compactMap(lowestLock).map(\.height).min() ?? .max
                if lowest < ceiling { locks.append(InnerLock(place: place, height: lowest)) }
                if lowest >= ceiling || names.count > 1 { collect(children, below: min(lowest, ceiling)) }
                place.removeLast()
            }
        }
        collect(names.compactMap(node), below: height)
        return locks
    }

    /// Returns the children of several nodes, those with the same key together.
    private static func children(of nodes: [Node]) -> [String: [Node]] {
        if nodes.count == 1 { return nodes[0].children.mapValues { [$0] } }
        return nodes.reduce(into: [:]) { result, node in
            for (key, child) in node.children { result[key, default: []].append(child) }
        }
    }

    /// Returns true if there are locks below a path.
    func areAny(below path: PrefsPath) -> Bool {
        guard let node = node(at: path), !Mutant.isActive(.innerLocksIgnored) else { return false }
        return !node.children.isEmpty
    }

    /// Returns true if there is a lock on a path, or above or below it.
    func concerns(_ path: PrefsPath) -> Bool {
        if isEmpty { return false }
        var node = root
        for key in path.components {
            guard let child = node.children[key] else { return false }
            if child.lowest != nil { return true }
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

/// A lock on a part of a key's value.
struct InnerLock: Hashable {
    /// The place of the part below each of the key's names.
    let place: [String]
    /// The locking layer's height.
    let height: Int
}

extension LockTable: Equatable {
    static func == (lhs: LockTable, rhs: LockTable) -> Bool { lhs === rhs || lhs.all == rhs.all }
}

extension LockTable {
    /// Returns the paths at which the effect of the locks differs from that of other ones.
    ///
    /// A lock that moved to another line has the same effect. One below another lock has none of its own,
    /// unless it is of a lower layer: with `http` locked at `user`, adding a lock on `http.port` at `user`
    /// changes nothing, but one at `system` does.
    func differences(from other: LockTable) -> [PrefsPath] {
        var paths: [PrefsPath] = []
        /// - Parameter ceilings: The heights of the lowest locks above the nodes.
        func compare(_ node: Node?, _ old: Node?, below ceilings: (now: Int, before: Int)) {
            let (lock, before) = (node.flatMap(lowestLock), old.flatMap(other.lowestLock))
            let (height, oldHeight) = (lock?.height ?? .max, before?.height ?? .max)
            let lowest = (now: min(height, ceilings.now), before: min(oldHeight, ceilings.before))
            // Where a lock has no effect of its own, it is as if there were none.
            let effect = height < ceilings.now ? height : .max
            let oldEffect = oldHeight < ceilings.before ? oldHeight : .max
            if effect != oldEffect, let path = (lock ?? before)?.path { paths.append(path) }
            for (key, child) in node?.children ?? [:] { compare(child, old?.children[key], below: lowest) }
            for (key, child) in old?.children ?? [:] where node?.children[key] == nil {
                compare(nil, child, below: lowest)
            }
        }
        if self != other { compare(root, other.root, below: (.max, .max)) }
        return paths
    }
}
