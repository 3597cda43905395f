/// Changes entries of a TOML file and nothing else. It preserves comments, order, layout, headers, dotted keys
/// and the spelling of every other value.
///
/// A new key goes where a person would put it: after the last pair of its table. If dotted keys define the
/// table, the new key gets the same dots. If the table is in braces, the new key goes inside them. A new table
/// gets a header after the tables of its parent, or dotted keys if the file uses nothing else. A table without a
/// header disappears with its last key.
struct TOMLEditor: SurgicalEditor {
    let document: PrefsDocument
    let tree: TOMLTree
    let sections: TOMLSections
    var patch = TextPatch()
    var elementEdits = ElementEdits()
    /// The changes of tables in braces. All changes of one table are made at once, because members share commas.
    private var members: [Int: MemberChange] = [:]

    init(_ document: PrefsDocument) throws(ScanFailure) {
        self.document = document
        var scanner = TOMLScanner(document.text, limits: document.limits, wantsEntryStarts: true)
        tree = try scanner.scanTree()
        sections = TOMLSections(tree, document.text.bytes)
    }

    mutating func finish() {
        for (table, change) in members { changeBraces(table, change) }
    }

    /// Returns false for a table without a header that becomes empty: it does not exist without keys.
    func canEdit(inside node: Int, becoming content: [String: PrefsValue]?) -> Bool {
        switch tree.form(of: node) {
        case .dotted, .implied: return content?.isEmpty != true
        case .value, .header, .tables, .element: return true
        }
    }

    /// Returns true only for a pair: a table may have its entries in several places.
    func canReplace(_ node: Int) -> Bool { tree.form(of: node) == .value }

    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError) {
        var writer = TOMLWriter()
        try writer.writeInline(value)
        patch.replace(tree[node].range, with: writer.output)
    }

    mutating func change(
        _ table: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        if let braces = braces(around: table) {
            return try changeMembers(of: table, in: braces, removing, adding)
        }
        for node in removing { remove(node) }
        guard !adding.isEmpty else { return }
        if tree.form(of: table) == .dotted { return try addDotted(adding, to: table) }
        let usesDots =
            table == 0 && !sections.hasHeaders
            && tree.children(of: 0).contains { tree.form(of: $0) == .dotted }
        if usesDots { return try addPairs(adding, to: table, dotted: true) }
        let pairs = adding.filter { !TOMLWriter.isSection($0.value) }
        if !pairs.isEmpty { try addPairs(pairs, to: table, dotted: false) }
        for (key, value) in adding where TOMLWriter.isSection(value) {
            try addSection(key, value, to: table)
        }
    }
}

extension TOMLEditor {
    /// Removes the lines of an entry: its pair, or the headers and pairs of a table and everything below it.
    private mutating func remove(_ item: Int) {
        switch tree.form(of: item) {
        case .value:
            let start = layout.lineStart(of: tree.entryStart(of: item))
            patch.remove(start..<layout.endOfLine(at: Int(tree[item].end)))
        case .dotted, .implied, .header, .tables, .element:
            if let section = sections.section(of: item) {
                patch.remove(layout.withBlankLine(before: section.start)..<section.end)
                for child in tree.children(of: item)
                where tree.form(of: child) != .value && tree.form(of: child) != .dotted {
                    remove(child)
                }
                for child in tree.children(of: item) where tree.form(of: child) == .dotted {
                    removeSections(below: child)
                }
            } else {
                for child in tree.children(of: item) { remove(child) }
            }
        }
    }

    /// Removes the tables with headers below a dotted table. The table's pairs are removed with their section.
    private mutating func removeSections(below item: Int) {
        for child in tree.children(of: item) where tree.form(of: child) != .value {
            tree.form(of: child) == .dotted ? removeSections(below: child) : remove(child)
        }
    }

    /// Adds pairs after the last pair of a table.
    private mutating func addPairs(
        _ adding: [(key: String, value: PrefsValue)], to table: Int, dotted: Bool
    ) throws(PrefsError) {
        var writer = TOMLWriter(newline: sections.newline)
        guard let section = table == 0 ? sections.root : sections.section(of: table) else {
            // An implied table gets a header of its own, before the first header below it.
            let start = sections.range(below: table, tree).map(\.lowerBound) ?? document.text.bytes.count
            let indent = layout.lineIndentation(at: start)
            writer.write("\(indent)[\(TOMLWriter.key(path(of: table)))]\(sections.newline)")
            for (key, value) in adding { try writer.writePair([key], value, indent: indent) }
            writer.write(sections.newline)
            return patch.insert(writer.output, at: layout.lineStart(of: start))
        }
        let indent =
            section.last.map { layout.lineIndentation(at: $0) } ?? layout.lineIndentation(at: section.start)
        for (key, value) in adding {
            try dotted
                ? writer.writeDotted([key], value, indent: indent)
                : writer.writePair([key], value, indent: indent)
        }
        if table == 0, section.last == nil, sections.hasHeaders {
            writer.write(sections.newline)
            let place = layout.startOfComments(before: sections.firstHeader)
            return patch.insert(writer.output, at: place, isFirst: true)
        }
        let place = table == 0 && section.last == nil ? layout.bytes.count : section.end
        // A header that is inserted at the same place must not precede the pairs.
        insertLines(writer.output, at: place, newline: sections.newline, isFirst: true)
    }

    /// Adds pairs after the last pair of a table that dotted keys define, with the same dots.
    private mutating func addDotted(_ adding: [(key: String, value: PrefsValue)], to table: Int)
        throws(PrefsError)
    {
        var prefix: [String] = []
        var outer = table
        while tree.form(of: outer) == .dotted {
            prefix.insert(document.text.key(of: tree[outer]), at: 0)
            outer = tree.parent(of: outer)
        }
        guard let last = tree.lastPair(of: table) else { return }
        var writer = TOMLWriter(newline: sections.newline)
        let indent = layout.lineIndentation(at: tree.entryStart(of: last))
        for (key, value) in adding { try writer.writeDotted(prefix + [key], value, indent: indent) }
        let place = layout.endOfLine(at: Int(tree[last].end))
        insertLines(writer.output, at: place, newline: sections.newline, isFirst: true)
    }

    /// Adds a table under a header of its own, after the tables of its parent.
    private mutating func addSection(_ key: String, _ value: PrefsValue, to table: Int) throws(PrefsError) {
        var writer = TOMLWriter(newline: sections.newline)
        let end = table == 0 ? layout.bytes.count : sections.range(below: table, tree)?.upperBound
        let start = sections.section(of: table).map(\.start) ?? 0
        try writer.writeSection(
            path(of: table) + [key], value, indent: table == 0 ? "" : layout.lineIndentation(at: start))
        let place = end ?? layout.bytes.count
        let blank = place == 0 || layout.isBlankLine(before: place) ? "" : sections.newline
        let rest = place < layout.bytes.count && layout.lineEnd(after: place) == nil ? sections.newline : ""
        insertLines(
            Array(blank.utf8) + writer.output + Array(rest.utf8), at: place, newline: sections.newline)
    }

    private func path(of table: Int) -> [String] {
        var path: [String] = []
        var item = table
        while item > 0 {
            if tree.form(of: item) != .element { path.insert(document.text.key(of: tree[item]), at: 0) }
            item = tree.parent(of: item)
        }
        return path
    }
}

extension TOMLEditor {
    /// Returns the table itself if it is in braces, or else the table in braces that its dotted keys belong to;
    /// `nil` if there is none.
    private func braces(around table: Int) -> Int? {
        var item = table
        while tree.form(of: item) == .dotted { item = tree.parent(of: item) }
        return tree.form(of: item) == .value ? item : nil
    }

    /// Records a change of the members of a table in braces.
    private mutating func changeMembers(
        of table: Int, in braces: Int, _ removing: [Int], _ adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError) {
        let prefix = path(of: table).dropFirst(path(of: braces).count)
        var change = members[braces] ?? MemberChange()
        for node in removing { change.removed.formUnion(pairs(in: node)) }
        for (key, value) in adding {
            var writer = TOMLWriter()
            try writer.writeMember(prefix + [key], value)
            change.added.append(writer.output)
        }
        members[braces] = change
    }

    /// Returns the pairs of an item: the item itself, or the pairs of a table that dotted keys define.
    private func pairs(in item: Int) -> [Int] {
        tree.form(of: item) == .value ? [item] : tree.children(of: item).flatMap(pairs)
    }

    /// Changes the members of a table in braces, with one comma between two members.
    private mutating func changeBraces(_ table: Int, _ change: MemberChange) {
        let members = tree.children(of: table).flatMap(pairs).sorted {
            tree.entryStart(of: $0) < tree.entryStart(of: $1)
        }
        let ranges = members.map { tree.entryStart(of: $0)..<Int(tree[$0].end) }
        for range in TextPatch.removals(of: ranges, where: { change.removed.contains(members[$0]) }) {
            patch.remove(range)
        }
        guard !change.added.isEmpty else { return }
        let added = Array(change.added.joined(separator: Array(", ".utf8)))
        guard let last = members.last else {
            return patch.replace(tree[table].range, with: Array("{ ".utf8) + added + Array(" }".utf8))
        }
        let separator = change.removed.count < members.count ? ", " : ""
        patch.insert(Array(separator.utf8) + added, at: Int(tree[last].end))
    }
}

extension TOMLEditor {
    mutating func changeElements(of array: Int, _ changes: ArrayChanges) throws(PrefsError) -> Bool {
        let children = Array(tree.children(of: array))
        let isTables = tree.form(of: array) == .tables
        let values = changes.changed.map(\.value) + changes.added.flatMap(\.values)
        guard tree.form(of: array) == .value || isTables && values.allSatisfy({ $0.kind == .dictionary })
        else { return false }
        for (index, value) in changes.changed {
            try changeElement(children[index], of: array, to: value)
        }
        guard isTables else {
            let ranges = children.map { tree[$0].range }
            let list = CommaList(layout: layout, elements: ranges, newline: sections.newline)
            var added: [(previous: Int?, texts: [String])] = []
            for (previous, values) in changes.added { added.append((previous, try Self.inline(values))) }
            return apply(list.replacements(removing: changes.removed, adding: added))
        }
        for index in changes.removed { removeWithComments(children[index]) }
        for (previous, values) in changes.added {
            try addTables(values, to: array, after: previous.map { children[$0] }, before: children[0])
        }
        return true
    }

    mutating func replaceElement(_ node: Int, of array: Int, with value: PrefsValue) throws(PrefsError) {
        guard tree.form(of: node) == .value else {
            throw PrefsError(.unsupported, reason: "a table with a header holds no other value")
        }
        try replace(node, of: array, with: value)
    }

    private static func inline(_ values: [PrefsValue]) throws(PrefsError) -> [String] {
        var texts: [String] = []
        for value in values {
            var writer = TOMLWriter()
            try writer.writeInline(value)
            texts.append(String(decoding: writer.output, as: UTF8.self))
        }
        return texts
    }

    /// Adds elements of an array of tables, each under its own header.
    private mutating func addTables(
        _ values: [PrefsValue], to array: Int, after previous: Int?, before first: Int
    ) throws(PrefsError) {
        let start = sections.section(of: previous ?? first)?.start ?? 0
        var writer = TOMLWriter(newline: sections.newline)
        try writer.writeSection(path(of: array), .array(values), indent: layout.lineIndentation(at: start))
        let newline = Array(sections.newline.utf8)
        guard let previous else {
            let place = layout.startOfComments(before: start)
            return insertLines(writer.output + newline, at: place, newline: sections.newline)
        }
        let end = sections.range(below: previous, tree)?.upperBound ?? layout.bytes.count
        insertLines(newline + writer.output, at: endOfPart(from: end), newline: sections.newline)
    }

    /// Removes a table with everything below it, and the comments above and below their headers.
    private mutating func removeWithComments(_ item: Int) {
        if let section = sections.section(of: item) {
            let start = layout.withBlankLine(before: layout.startOfComments(before: section.start))
            patch.remove(start..<endOfPart(from: section.end))
        }
        for child in tree.children(of: item) where tree.form(of: child) != .value {
            removeWithComments(child)
        }
    }

    /// Returns the end of the last line with text before the next header and the comments above that header.
    ///
    /// - Parameter end: The end of the last line with a pair or a header.
    private func endOfPart(from end: Int) -> Int {
        let next = sections.headers.first { $0 >= end } ?? layout.bytes.count
        let limit = next < layout.bytes.count ? layout.startOfComments(before: next) : next
        var (last, line) = (end, end)
        while line < limit {
            let following = layout.endOfLine(at: line)
            if !layout.bytes[line..<following].allSatisfy(\.isBlank) { last = following }
            line = following
        }
        return last
    }
}

/// The members that a table in braces loses and gains.
private struct MemberChange {
    var removed: Set<Int> = []
    var added: [[UInt8]] = []
}

extension TOMLWriter {
    /// Writes a value as one pair, or a dictionary as one pair for each of its values.
    fileprivate mutating func writeDotted(_ path: [String], _ value: PrefsValue, indent: String)
        throws(PrefsError)
    {
        guard case .dictionary(let content) = value, !content.isEmpty else {
            return try writePair(path, value, indent: indent)
        }
        for (key, value) in content.sortedByKey { try writeDotted(path + [key], value, indent: indent) }
    }
}

extension TextLayout {
    /// Returns the start of the offset's line.
    func lineStart(of offset: Int) -> Int { indentation(before: offset)?.lowerBound ?? offset }

    /// Returns the offset after the line that contains `offset`; the end of the file if it is the last line.
    func endOfLine(at offset: Int) -> Int {
        bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }

    /// Returns true if the line that ends before an offset is blank, or the offset begins the file.
    func isBlankLine(before offset: Int) -> Bool {
        withBlankLine(before: offset) != offset
    }

    /// Returns the start of the blank line before an offset, or the start of the offset's line.
    func withBlankLine(before offset: Int) -> Int {
        let start = lineStart(of: offset)
        guard start > 0, bytes[start - 1] == UInt8(ascii: "\n") else { return start }
        var end = start - 1
        while end > 0, bytes[end - 1].isBlank, bytes[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        return end > 0 && bytes[end - 1] == UInt8(ascii: "\n") ? end : start
    }

    /// Returns the start of the comment lines directly before the line of an offset.
    func startOfComments(before offset: Int) -> Int {
        var start = lineStart(of: offset)
        while start > 0 {
            let previous = bytes[..<(start - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = bytes[previous..<start].drop(while: \.isIndentation)
            guard line.first == UInt8(ascii: "#") else { break }
            start = previous
        }
        return start
    }
}
