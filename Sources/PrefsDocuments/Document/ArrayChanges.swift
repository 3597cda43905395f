/// The changes that turn one array into another. The elements that both arrays have stay as they are written.
///
///     [a, b, c]  →  [a, x, c, d]     b becomes x, and d is added after c
///     [a, b, c]  →  [a, c]           b is removed
package struct ArrayChanges {
    /// The indices of the elements whose values differ, with the new values.
    private(set) var changed: [(index: Int, value: PrefsValue)] = []
    /// The indices of the removed elements, ascending.
    private(set) var removed: [Int] = []
    /// The new elements, by the index of the element that they follow; `nil` for elements at the start.
    private(set) var added: [(previous: Int?, values: [PrefsValue])] = []

    /// If more elements than this differ, we do not search for common ones among them.
    private static let limit = 1000

    /// Compares two arrays. Returns `nil` if no element of the old array is left.
    package init?(from old: [PrefsValue], to new: [PrefsValue]) {
        let head = zip(old, new).prefix { $0 == $1 }.count
        let (oldRest, newRest) = (old.dropFirst(head), new.dropFirst(head))
        let tail = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
        let (lost, gained) = (Array(oldRest.dropLast(tail)), Array(newRest.dropLast(tail)))
        var (removals, insertions) = (Set(lost.indices), Set(gained.indices))
        if lost.count + gained.count <= Self.limit {
            let difference = gained.difference(from: lost)
            removals = Set(difference.removals.map(Self.offset))
            insertions = Set(difference.insertions.map(Self.offset))
        }
        var (index, next) = (0, 0)
        while index < lost.count || next < gained.count {
            let (start, first) = (index, next)
            while index < lost.count, removals.contains(index) { index += 1 }
            while next < gained.count, insertions.contains(next) { next += 1 }
            add(head + start..<head + index, of: old, Array(gained[first..<next]))
            // An element that both arrays have.
            if index < lost.count, next < gained.count { (index, next) = (index + 1, next + 1) }
        }
        if removed.count == old.count { return nil }
    }

    /// Applies the changes to the elements of another array.
    ///
    /// - Parameters:
    ///   - elements: As many elements as the old array has.
    ///   - change: Returns the changed element for an index and its new value.
    package func applied(
        to elements: [PrefsValue], _ change: (_ index: Int, _ value: PrefsValue) -> PrefsValue
    ) -> [PrefsValue] {
        var results: [PrefsValue?] = elements
        for (index, value) in changed { results[index] = change(index, value) }
        for index in removed { results[index] = nil }
        var rest = Dictionary(grouping: added, by: \.previous).mapValues { $0.flatMap(\.values) }
        var result = rest.removeValue(forKey: nil) ?? []
        for (index, element) in results.enumerated() {
            if let element { result.append(element) }
            result += rest[index] ?? []
        }
        return result
    }

    private static func offset(_ change: CollectionDifference<PrefsValue>.Change) -> Int {
        switch change {
        case .remove(let offset, _, _), .insert(let offset, _, _): offset
        }
    }

    /// Adds the changes between two common elements.
    ///
    /// If one side has more elements, the run that most resembles the other side is its counterpart.
    private mutating func add(_ lost: Range<Int>, of old: [PrefsValue], _ gained: [PrefsValue]) {
        let count = min(lost.count, gained.count)
        let shift = Self.shift(Array(old[lost]), gained)
        let (skipped, preceding) = lost.count > gained.count ? (shift, 0) : (0, shift)
        let kept = lost.lowerBound + skipped..<lost.lowerBound + skipped + count
        for (index, value) in zip(kept, gained.dropFirst(preceding)) { changed.append((index, value)) }
        removed += lost.filter { !kept.contains($0) }
        add(Array(gained.prefix(preceding)), before: lost.lowerBound)
        add(Array(gained.dropFirst(preceding + count)), before: lost.upperBound)
    }

    private mutating func add(_ values: [PrefsValue], before index: Int) {
        if !values.isEmpty { added.append((index > 0 ? index - 1 : nil, values)) }
    }

    /// Returns the number of elements in the longer array before the run that most resembles the shorter array.
    private static func shift(_ lhs: [PrefsValue], _ rhs: [PrefsValue]) -> Int {
        let (short, long) = lhs.count < rhs.count ? (lhs, rhs) : (rhs, lhs)
        guard short.count * (long.count - short.count) <= limit else { return 0 }
        var (best, highest) = (0, 0)
        for shift in 0...long.count - short.count {
            let likeness = zip(short, long.dropFirst(shift)).reduce(0) { $0 + Self.likeness($1.0, $1.1) }
            if likeness > highest { (best, highest) = (shift, likeness) }
        }
        return best
    }

    /// Returns the number of entries that two dictionaries have in common.
    private static func likeness(_ lhs: PrefsValue, _ rhs: PrefsValue) -> Int {
        guard case .dictionary(let lhs) = lhs, case .dictionary(let rhs) = rhs else { return 0 }
        return lhs.count { key, value in rhs[key] == value }
    }
}
