import PrefsDocuments

/// The locks of a snapshot, sorted by path.
///
/// A lookup takes time proportional to the depth of the path, to the logarithm of the number of locks and to the
/// number of locks found. A table never changes, so snapshots share it, and comparing identities usually shows
/// that no lock changed.
final class LockTable: Sendable {
    static let empty = LockTable([])

    /// All locks, in the order of the layers and the files.
    let all: [PrefsLock]
    /// The indices of the locks by path, those on one path by height. The locks below a path follow those on it.
    ///
    /// Of several locks on one path at one height, which say the same, it has the first of the list.
    private let order: [Int32]

    init(_ locks: [PrefsLock]) {
        all = locks
        let sorted = (0..<Int32(locks.count)).sorted { left, right in
            let (lock, other) = (locks[Int(left)], locks[Int(right)])
            if lock.path != other.path { return lock.path.components.precedes(other.path.components) }
            return (lock.height, left) < (other.height, right)
        }
        var order: [Int32] = []
        order.reserveCapacity(sorted.count)
        for index in sorted {
            let (lock, last) = (locks[Int(index)], order.last.map { locks[Int($0)] })
            if last?.height != lock.height || last?.path != lock.path { order.append(index) }
        }
        self.order = order
    }

    var isEmpty: Bool { all.isEmpty }

    /// Returns the lock at a place in the order.
    fileprivate subscript(place: Int) -> PrefsLock { all[Int(order[place])] }

    /// Returns those of the consecutive locks within one path whose next component is `key`.
    private func narrow(_ places: Range<Int>, to key: String, at depth: Int) -> Range<Int> {
        let start = places.first(meeting: { place in
            let components = self[place].path.components
            return components.count > depth && components[depth] >= key
        })
        let end = (start..<places.upperBound).first(meeting: { self[$0].path.components[depth] != key })
        return start..<end
    }

    /// Returns the places of the locks on a path and of those below it.
    private func places(within path: PrefsPath) -> Range<Int> {
        var places = order.indices
        for (depth, key) in path.components.enumerated() where !places.isEmpty {
            places = narrow(places, to: key, at: depth)
        }
        return places
    }

    /// Returns the places of the locks below a path.
    fileprivate func places(below path: PrefsPath) -> Range<Int> {
        let places = places(within: path)
        let start = places.first(meeting: { self[$0].path.components.count > path.components.count })
        return start..<places.upperBound
    }
}

extension LockTable {
    /// Returns the locks on a path and on everything above it, the shortest path first.
    func locks(onOrAbove path: PrefsPath) -> [PrefsLock] {
        var (places, locks): (Range<Int>, [PrefsLock]) = (order.indices, [])
        for (depth, key) in path.components.enumerated() {
            if places.isEmpty { break }
            places = narrow(places, to: key, at: depth)
            for place in places {
                let lock = self[place]
                guard lock.path.components.count == depth + 1 else { break }
                locks.append(lock)
            }
        }
        return locks
    }

    /// Returns the lock that holds for a path: the lowest of those on the path or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? {
        locks(onOrAbove: path).min { $0.height < $1.height }
    }

    /// Returns the lock that holds for a key under any of its names: the lowest one.
    func lock(on key: PrefsKeyName) -> PrefsLock? {
        isEmpty ? nil : key.paths.compactMap { lock(on: $0) }.min { $0.height < $1.height }
    }

    /// Returns the lowest lock on each path below a path, of those that bind values at a height; a lock above
    /// comes before those below it.
    func locks(below path: PrefsPath, binding height: Int = .max) -> [PrefsLock] {
        LowestLocks(self, places(below: path)).filter { $0.height < height }
    }

    /// Returns the locks on parts of a value of a key, of those that bind values at a height.
    func locks(below names: [PrefsPath], binding height: Int) -> InnerLocks {
        InnerLocks(self, below: names, binding: height)
    }

    /// Returns true if there are locks below a path.
    func areAny(below path: PrefsPath) -> Bool {
        !places(below: path).isEmpty
    }

    /// Returns true if there is a lock on a path, or above or below it.
    func concerns(_ path: PrefsPath) -> Bool {
        var places = order.indices
        for (depth, key) in path.components.enumerated() {
            if places.isEmpty { return false }
            places = narrow(places, to: key, at: depth)
            if let place = places.first, self[place].path.components.count == depth + 1 { return true }
        }
        return !places.isEmpty
    }
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
        if self == other { return [] }
        var paths: [PrefsPath] = []
        /// The paths above the next one, with the heights of the lowest locks on them and above them.
        var outer: [(path: PrefsPath, heights: (now: Int, before: Int))] = []
        var (locks, others) = (LowestLocks(self, order.indices), LowestLocks(other, other.order.indices))
        var (lock, before) = (locks.next(), others.next())
        while let path = [lock?.path, before?.path].compactMap(\.self).min(by: PrefsPath.precedes) {
            while let last = outer.last, !last.path.contains(path) { outer.removeLast() }
            let ceilings = outer.last?.heights ?? (.max, .max)
            let height = lock?.path == path ? lock?.height ?? .max : .max
            let oldHeight = before?.path == path ? before?.height ?? .max : .max
            // Where a lock has no effect of its own, it is as if there were none.
            let effect = height < ceilings.now ? height : .max
            let oldEffect = oldHeight < ceilings.before ? oldHeight : .max
            if effect != oldEffect { paths.append(path) }
            outer.append((path, (min(height, ceilings.now), min(oldHeight, ceilings.before))))
            if lock?.path == path { lock = locks.next() }
            if before?.path == path { before = others.next() }
        }
        return paths
    }
}

/// The lowest lock on each path, of consecutive locks of a table.
private struct LowestLocks: Sequence, IteratorProtocol {
    private let table: LockTable
    private var places: Range<Int>
    private var last: PrefsPath?

    init(_ table: LockTable, _ places: Range<Int>) {
        self.table = table
        self.places = places
    }

    mutating func next() -> PrefsLock? {
        while let place = places.popFirst() {
            let lock = table[place]
            if lock.path == last { continue }
            last = lock.path
            return lock
        }
        return nil
    }
}

/// A lock on a part of a key's value.
struct InnerLock: Hashable {
    /// The place of the part below each of the key's names.
    let place: ArraySlice<String>
    /// The locking layer's height.
    let height: Int
}

/// The locks on parts of a key's value, sorted by place, so that a lock above comes before those below it.
///
/// A lock below one of the key's names holds below all of them, and of several at one place the lowest holds.
/// The value that a lock supplies respects the locks within it, so those are omitted. With several names that
/// is true only of locks of the same layer and higher ones: with `a` formerly `b`, the value of `a.x` that a
/// lock of `user` supplies need not respect a lock of `system` on `b.x.y`.
struct InnerLocks: Sequence, IteratorProtocol {
    private let table: LockTable
    /// For each of the key's names the depth of its path and the places of the locks below it that are left.
    private var left: [(depth: Int, places: Range<Int>)]
    private let hasSeveralNames: Bool
    private let height: Int
    /// The locks above the next one, from the outermost to the innermost, which is the lowest.
    private var outer: [InnerLock] = []

    fileprivate init(_ table: LockTable, below names: [PrefsPath], binding height: Int) {
        self.table = table
        self.height = height
        hasSeveralNames = names.count > 1
        left = names.map { ($0.components.count, table.places(below: $0)) }.filter { !$0.places.isEmpty }
    }

    /// True if there are none.
    var isEmpty: Bool {
        var copy = self
        return copy.next() == nil
    }

    mutating func next() -> InnerLock? {
        while let lock = takeFirst() {
            while let last = outer.last, !lock.place.starts(with: last.place) { outer.removeLast() }
            let ceiling = outer.last?.height ?? height
            guard lock.height < ceiling, hasSeveralNames || outer.isEmpty else { continue }
            outer.append(lock)
            return lock
        }
        return nil
    }

    /// Takes the lock with the first place below any of the names; of several at one place the lowest.
    private mutating func takeFirst() -> InnerLock? {
        let index = left.indices.min { index, other in
            let (lock, next) = (head(of: left[index]), head(of: left[other]))
            return lock.place == next.place ? lock.height < next.height : lock.place.precedes(next.place)
        }
        guard let index else { return nil }
        let lock = head(of: left[index])
        left[index].places.removeFirst()
        if left[index].places.isEmpty { left.remove(at: index) }
        return lock
    }

    private func head(of locks: (depth: Int, places: Range<Int>)) -> InnerLock {
        let lock = table[locks.places.lowerBound]
        return InnerLock(place: lock.path.components.dropFirst(locks.depth), height: lock.height)
    }
}

extension PrefsPath {
    /// The order of paths, in which everything below a path follows it at once.
    fileprivate static func precedes(_ path: PrefsPath, _ other: PrefsPath) -> Bool {
        path.components.precedes(other.components)
    }
}

extension Collection<String> {
    /// Returns true if these components of a path come before other ones. A single pass, unlike
    /// `lexicographicallyPrecedes`.
    fileprivate func precedes(_ other: Self) -> Bool {
        for (key, otherKey) in zip(self, other) where key != otherKey { return key < otherKey }
        return count < other.count
    }
}

extension Range<Int> {
    /// Returns the first number that meets a condition, which all after it meet, too; the end if none does.
    fileprivate func first(meeting condition: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
