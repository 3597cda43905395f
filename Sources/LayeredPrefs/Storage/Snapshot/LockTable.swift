import PrefsDocuments

/// The locks of a snapshot, sorted by path.
///
/// A lookup takes time proportional to the depth of the path, to the logarithm of the number of locks and to
/// the number of locks found. A table never changes, so snapshots share it. Comparing identities usually
/// shows that no lock changed.
final class LockTable: Sendable {
    static let empty = LockTable([])

    /// All locks, in the order of the layers and the files.
    let all: [PrefsLock]
    /// The indices of the locks, sorted by path and then by height. The locks below a path follow the locks on it.
    ///
    /// Several locks on one path at one height mean the same, so only the first of them is listed.
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

    /// Returns the locks whose next component is `key`, given consecutive locks within one path.
    private func narrow(_ places: Range<Int>, to key: String, at depth: Int) -> Range<Int> {
        let start = places.first(meeting: { place in
            let components = self[place].path.components
            return components.count > depth && components[depth] >= key
        })
        let end = (start..<places.upperBound).first(meeting: { self[$0].path.components[depth] != key })
        return start..<end
    }

    /// Returns the places of the locks on a path and below it.
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
    /// Returns the locks on a path and on everything above it. The locks on the shortest path come first.
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

    /// Returns the lock that holds for a path: the lowest lock on the path or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? {
        locks(onOrAbove: path).min { $0.height < $1.height }
    }

    /// Returns the lock that holds for a key: the lowest lock that holds for any of its names.
    func lock(on key: PrefsKeyName) -> PrefsLock? {
        isEmpty ? nil : key.paths.compactMap { lock(on: $0) }.min { $0.height < $1.height }
    }

    /// Returns the lowest lock on each path below a path, if that lock binds values at a height. A lock comes
    /// before the locks below it.
    func locks(below path: PrefsPath, binding height: Int = .max) -> [PrefsLock] {
        lowest(at: places(below: path)).filter { $0.height < height }
    }

    /// Returns the locks on parts of a key's value that bind values at a height, sorted by place. A lock
    /// comes before the locks below it.
    ///
    /// A lock below one of the key's names holds below all of them. If there are several locks at one place,
    /// the lowest lock holds.
    ///
    /// The value that a lock supplies respects the locks within it, so the inner locks are omitted. With
    /// several names, this is true only of inner locks of the same layer or a higher one. For example, with
    /// `a` formerly `b`, a lock of `user` supplies the value of `a.x`. This value need not respect a lock of
    /// `system` on `b.x.y`.
    func locks(below names: [PrefsPath], binding height: Int) -> [InnerLock] {
        var found = names.flatMap { name in
            locks(below: name, binding: height).map { lock in
                InnerLock(place: lock.path.components.dropFirst(name.components.count), height: lock.height)
            }
        }
        if names.count > 1 {
            found.sort { $0.place == $1.place ? $0.height < $1.height : $0.place.precedes($1.place) }
        }
        /// The locks above the next lock, from the outermost to the innermost, which is the lowest.
        var outer: [InnerLock] = []
        return found.filter { lock in
            while let last = outer.last, !lock.place.starts(with: last.place) { outer.removeLast() }
            if let last = outer.last, names.count == 1 || lock.height >= last.height { return false }
            outer.append(lock)
            return true
        }
    }

    /// Returns true if there are locks below a path.
    func areAny(below path: PrefsPath) -> Bool {
        !places(below: path).isEmpty
    }

    /// Returns true if there is a lock on a path, above it or below it.
    func concerns(_ path: PrefsPath) -> Bool {
        !isEmpty && (!locks(onOrAbove: path).isEmpty || areAny(below: path))
    }
}

extension LockTable: Equatable {
    static func == (lhs: LockTable, rhs: LockTable) -> Bool { lhs === rhs || lhs.all == rhs.all }
}

extension LockTable {
    /// Returns the paths where these locks have another effect than other locks.
    ///
    /// A lock that moved to another line has the same effect. A lock below another lock has no effect of its
    /// own, unless it belongs to a lower layer. For example, `http` is locked at `user`. Then a new lock on
    /// `http.port` at `user` changes nothing, but a new lock at `system` does.
    func differences(from other: LockTable) -> [PrefsPath] {
        if self == other { return [] }
        let (effects, others) = (effects, other.effects)
        return Array(Set(effects.keys).union(others.keys).filter { effects[$0] != others[$0] })
    }

    /// The heights of the locks that have an effect of their own.
    private var effects: [PrefsPath: Int] {
        var effects: [PrefsPath: Int] = [:]
        /// The locks above the next lock, from the outermost to the innermost, which is the lowest.
        var outer: [PrefsLock] = []
        for lock in lowest(at: order.indices) {
            while let last = outer.last, !last.path.contains(lock.path) { outer.removeLast() }
            if let last = outer.last, lock.height >= last.height { continue }
            outer.append(lock)
            effects[lock.path] = lock.height
        }
        return effects
    }

    /// Returns the lowest lock on each path, given the places of consecutive locks.
    private func lowest(at places: Range<Int>) -> [PrefsLock] {
        var locks: [PrefsLock] = []
        for place in places where locks.last?.path != self[place].path { locks.append(self[place]) }
        return locks
    }
}

/// A lock on a part of a key's value.
struct InnerLock: Hashable {
    /// The place of the part below each of the key's names.
    let place: ArraySlice<String>
    /// The locking layer's height.
    let height: Int
}

extension Collection<String> {
    /// Returns true if these components of a path come before other components. It makes a single pass,
    /// unlike `lexicographicallyPrecedes`.
    fileprivate func precedes(_ other: Self) -> Bool {
        for (key, otherKey) in zip(self, other) where key != otherKey { return key < otherKey }
        return count < other.count
    }
}

extension Range<Int> {
    /// Returns the first number that meets a condition, or the end if no number does. All numbers after the
    /// first one must meet the condition, too.
    func first(meeting condition: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
