/// Suggests corrections for misspelled names.
package enum SpellingSuggestion {
    /// Returns the candidate with the fewest edits, if they are few enough for a typo: one in three
    /// characters. A text longer than any name, as a hostile file may hold, has none.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let limit = max(1, name.count / 3)
        let ranked = candidates.map { (name: $0, distance: distance(name.lowercased(), $0.lowercased())) }
        let best = ranked.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return best.flatMap { $0.distance <= limit ? $0.name : nil }
    }

    /// The number of bytes up to which a text is compared: the cost is the product of both lengths.
    private static let longest = 1000

    /// Returns the end of a message that suggests a name, or nothing if there is none.
    package static func hint(_ nearest: String?) -> String {
        nearest.map { "; did you mean “\($0)”?" } ?? ""
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbors that turn one text
    /// into the other (optimal string alignment).
    static func distance(_ lhs: String, _ rhs: String) -> Int {
        let (lhs, rhs) = (Array(lhs), Array(rhs))
        var beforeLast: [Int] = []
        var last = Array(0...rhs.count)
        for row in 0..<lhs.count {
            var current = [row + 1]
            for column in 0..<rhs.count {
                let replaced = last[column] + (lhs[row] == rhs[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, lhs[row] == rhs[column - 1], lhs[row - 1] == rhs[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[rhs.count]
    }
}
