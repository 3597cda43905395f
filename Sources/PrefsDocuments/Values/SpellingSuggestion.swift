/// Suggests corrections for misspelled names.
///
/// Names compare by their bytes, without regard to the case of ASCII letters. The cost of a comparison is bounded:
/// there is no suggestion for a name of more than ``longest`` bytes, or with more than ``mostEdits`` edits.
package enum SpellingSuggestion {
    private static let longest = 128
    private static let mostEdits = 8

    /// Returns the candidate with the fewest edits, if they are few enough for a typo: one edit in three bytes.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let letters = letters(of: name)
        var limit = min(max(1, letters.count / 3), mostEdits)
        var nearest: String?
        for candidate in candidates where candidate.utf8.count <= longest {
            guard let distance = distance(letters, Self.letters(of: candidate), atMost: limit) else {
                continue
            }
            let isNearer = distance < limit || nearest.map { candidate < $0 } ?? true
            (nearest, limit) = (isNearer ? candidate : nearest, distance)
        }
        return nearest
    }

    private static func letters(of name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Returns the candidate that a name is one edit away from; `nil` if there is none, or if the name is a candidate.
    package static func neighbour(of name: String, among candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let letters = letters(of: name)
        let near = candidates.filter { distance(letters, Self.letters(of: $0), atMost: 1) != nil }
        return near.contains(name) ? nil : near.first
    }

    /// Returns the end of a message that suggests a name, or nothing if there is none.
    package static func hint(_ nearest: String?) -> String {
        nearest.map { "; did you mean “\($0)”?" } ?? ""
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbors that turn one text
    /// into the other (optimal string alignment); `nil` if it is more than `limit`.
    ///
    /// A cell of the table is the distance of two prefixes. Only cells whose prefixes differ in length by at most
    /// `limit` are computed; the cells beside them count as too far.
    static func distance(_ lhs: [UInt8], _ rhs: [UInt8], atMost limit: Int) -> Int? {
        guard abs(lhs.count - rhs.count) <= limit else { return nil }
        let far = limit + 1
        var beforeLast = [Int](repeating: far, count: rhs.count + 1)
        var last = (0...rhs.count).map { min($0, far) }
        var current = beforeLast
        for row in 1..<lhs.count + 1 {
            let first = max(1, row - limit)
            let end = min(rhs.count, row + limit) + 1
            current[first - 1] = first == 1 ? min(row, far) : far
            var fewest = current[first - 1]
            for column in first..<end {
                let isSame = lhs[row - 1] == rhs[column - 1]
                var edits = min(last[column - 1] + (isSame ? 0 : 1), current[column - 1] + 1)
                if column < row + limit { edits = min(edits, last[column] + 1) }
                if row > 1, column > 1, lhs[row - 1] == rhs[column - 2], lhs[row - 2] == rhs[column - 1] {
                    edits = min(edits, beforeLast[column - 2] + 1)
                }
                current[column] = min(edits, far)
                fewest = min(fewest, edits)
            }
            if fewest > limit { return nil }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[rhs.count] <= limit ? last[rhs.count] : nil
    }
}
