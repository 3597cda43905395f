import LayeredPrefs

/// The lines that differ between two texts, with some lines around them.
struct LineDifference: Encodable {
    struct Line: Encodable, Hashable {
        /// `+`, `-`, or a space for a line that both texts have.
        let mark: String
        let text: String
    }

    let lines: [Line]

    /// The number of unchanged lines to show before and after the differing lines.
    private static let context = 2
    /// The maximum number of differing lines that are compared with each other.
    private static let limit = 1000

    init(_ old: String, _ new: String) {
        let (old, new) = (Self.lines(of: old), Self.lines(of: new))
        let head = zip(old, new).prefix { $0.hasSameBytes(as: $1) }.count
        let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
            .prefix { $0.hasSameBytes(as: $1) }.count
        let (removed, added) = (old[head..<(old.count - tail)], new[head..<(new.count - tail)])
        guard !removed.isEmpty || !added.isEmpty else {
            lines = []
            return
        }
        let around = { (lines: ArraySlice<Substring>) in lines.map { Line(mark: " ", text: String($0)) }
        }
        lines =
            around(old[..<head].suffix(Self.context)) + Self.changes(Array(removed), Array(added))
            + around(old[(old.count - tail)...].prefix(Self.context))
    }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func changes(_ old: [Substring], _ new: [Substring]) -> [Line] {
        guard old.count + new.count <= limit else {
            return [Line(mark: "-", text: "\(old.count) lines"), Line(mark: "+", text: "\(new.count) lines")]
        }
        let difference = new.difference(from: old) { $0.hasSameBytes(as: $1) }
        let removed = Set(difference.removals.map(\.offset))
        let inserted = Set(difference.insertions.map(\.offset))
        var (lines, next) = ([Line](), 0)
        func insert() {
            while inserted.contains(next) {
                lines.append(Line(mark: "+", text: String(new[next])))
                next += 1
            }
        }
        for (index, line) in old.enumerated() {
            if removed.contains(index) {
                lines.append(Line(mark: "-", text: String(line)))
            } else {
                insert()
                lines.append(Line(mark: " ", text: String(line)))
                next += 1
            }
        }
        insert()
        return lines
    }
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
