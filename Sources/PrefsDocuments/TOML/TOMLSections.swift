/// The parts of a TOML file between headers.
struct TOMLSections {
    struct Section {
        /// The start of the header.
        var start: Int
        /// The end of the line of the last pair, or of the header if there is no pair.
        var end: Int
        /// The start of the last pair.
        var last: Int?
    }

    /// The pairs before the first header.
    private(set) var root = Section(start: 0, end: 0)
    private var sections: [Int: Section] = [:]
    /// The starts of the headers, ascending.
    private(set) var headers: [Int] = []
    private(set) var firstHeader = Int.max
    /// The line ending of the file.
    let newline: String

    var hasHeaders: Bool { !sections.isEmpty }

    init(_ tree: TOMLTree, _ bytes: [UInt8]) {
        let layout = TextLayout(bytes: bytes)
        newline = layout.firstNewline
        for item in 1..<max(tree.count, 1) where [.header, .element].contains(tree.form(of: item)) {
            let start = tree.entryStart(of: item)
            firstHeader = min(firstHeader, start)
            headers.append(start)
            sections[item] = Section(start: start, end: layout.endOfLine(at: Int(tree[item].end)))
        }
        headers.sort()
        for item in 1..<max(tree.count, 1) where tree.form(of: item) == .value {
            var table = tree.parent(of: item)
            while tree.form(of: table) == .dotted { table = tree.parent(of: table) }
            guard tree[table].kind == .dictionary, tree.form(of: table) != .value else { continue }
            let pair = Section(
                start: 0, end: layout.endOfLine(at: Int(tree[item].end)), last: tree.entryStart(of: item))
            if table == 0 { root.extend(to: pair) } else { sections[table]?.extend(to: pair) }
        }
    }

    /// The section of a table with a header; `nil` for any other table.
    func section(of item: Int) -> Section? { sections[item] }

    /// Returns the range from the first header at or below a table to the end of the last section.
    func range(below item: Int, _ tree: TOMLTree) -> Range<Int>? {
        var range = sections[item].map { $0.start..<$0.end }
        for child in tree.children(of: item) where tree.form(of: child) != .value {
            guard let inner = self.range(below: child, tree) else { continue }
            range =
                range.map { min($0.lowerBound, inner.lowerBound)..<max($0.upperBound, inner.upperBound) }
                ?? inner
        }
        return range
    }
}

extension TOMLSections.Section {
    fileprivate mutating func extend(to pair: TOMLSections.Section) {
        guard pair.end > end || last == nil else { return }
        end = max(end, pair.end)
        last = pair.last
    }
}

extension TOMLTree {
    /// Returns the last pair of a table that dotted keys define, including its dotted sub-tables.
    func lastPair(of table: Int) -> Int? {
        children(of: table).compactMap { child -> Int? in
            switch form(of: child) {
            case .value: child
            case .dotted: lastPair(of: child)
            default: nil
            }
        }.max { entryStart(of: $0) < entryStart(of: $1) }
    }
}
