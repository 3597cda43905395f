/// The changes between two revisions of a file that differ in scalars only, as after most edits.
///
/// The new revision takes over all other values and only moves them. They are neither scanned again nor compared
/// with the previous revision, however many there are:
///
///     {"name": "a", "port": 80, "host": "b", "paths": ["x", "y"]}
///     {"name": "a", "port": 8080, "host": "c", "paths": ["x", "y"]}
///      ╰──── the same ────╯   ╰─ the same ─╯ ╰──── the same ────╯
///
/// Only the text before a value decides how the value is read. So all containers and keys are the same if two
/// conditions hold: the texts between the scalars are the same, and a scanner that reads a changed scalar ends
/// where the next of these texts begins.
struct ScalarEdits {
    private(set) var changes: [Change] = []

    /// A changed scalar.
    struct Change {
        /// The index, which is the same in both revisions.
        let index: Int
        let node: DocumentNode
        /// The end in the old revision.
        let oldEnd: UInt32
        /// The distance that the text after the scalar has moved, up to the next change.
        let distance: Int
    }

    /// Compares two revisions. Returns `nil` if more than scalars may differ.
    init?(from old: PrefsDocument, to text: DocumentText, limits: PrefsLimits) {
        // An empty text stands for a missing file.
        guard !text.bytes.isEmpty, old.format == text.format, old.limits == limits, case .utf8 = old.encoding,
            old.warnings.isEmpty, text.bytes.count <= limits.effectiveFileSize
        else { return nil }
        let builder = DocumentBuilder(text, limits: limits, isStrict: false, expecting: Self.usualCount)
        switch text.format.name {
        case .xml:
            var scanner = XMLScanner(builder)
            guard compare(old, &scanner) else { return nil }
        case .json:
            var scanner = JSONScanner(builder)
            guard compare(old, &scanner) else { return nil }
        // In these formats, the values are not in the order of the text, or the layout decides how they are read.
        case .binary, .toml, .yaml: return nil
        }
    }

    /// The number of changes to reserve space for.
    private static let usualCount = 8

    /// Collects the changes. Returns false if more than scalars have changed.
    private mutating func compare(_ old: PrefsDocument, _ scanner: inout some ValueScanner) -> Bool {
        let (before, after) = (old.text.bytes, scanner.bytes)
        let head = before.span.commonPrefix(with: after.span)
        if head == before.count, head == after.count { return true }
        // The first bytes identify the encoding.
        guard head >= 4, let first = old.indexOfScalar(at: head) else { return false }
        let tail = before.span.extracting(droppingFirst: head)
            .commonSuffix(with: after.span.extracting(droppingFirst: head))
        let (end, growth) = (before.count - tail, after.count - before.count)
        /// Returns true if a part of the old text is the same in the new one, moved by a distance.
        func isSame(_ range: Range<Int>, movedBy distance: Int) -> Bool {
            let moved = range.lowerBound + distance..<range.upperBound + distance
            return moved.lowerBound >= 0 && moved.upperBound <= after.count
                && before.span.extracting(range).hasSameBytes(as: after.span.extracting(moved))
        }
        changes.reserveCapacity(Self.usualCount)
        var (place, distance) = (Int(old.nodes[first].start), 0)
        for index in first..<old.nodes.count {
            if place >= end, distance == growth { break }
            let node = old.nodes[index]
            if node.isContainer { continue }
            guard isSame(place..<Int(node.start), movedBy: distance) else { return false }
            place = Int(node.end)
            // Includes the next byte, which may be another digit.
            if isSame(Int(node.start)..<min(place + 1, before.count), movedBy: distance) { continue }
            guard let new = scanner.scalar(at: Int(node.start) + distance) else { return false }
            distance = Int(new.end) - place
            changes.append(Change(index: index, node: new, oldEnd: node.end, distance: distance))
        }
        return place >= end && distance == growth
    }

    /// Returns the nodes of the new revision.
    func apply(to nodes: [DocumentNode]) -> [DocumentNode] {
        var nodes = nodes
        if changes.contains(where: { $0.distance != 0 }) {
            for index in nodes.indices { move(&nodes[index]) }
        }
        for change in changes {
            let (index, node) = (change.index, change.node)
            nodes[index].start = node.start
            nodes[index].end = node.end
            nodes[index].kind = node.kind
            nodes[index].payload = node.payload
            nodes[index].flags.subtract([.encodedValue, .unsigned])
            nodes[index].flags.formUnion(node.flags)
        }
        return nodes
    }

    private func move(_ node: inout DocumentNode) {
        node.end = moved(node.end)
        guard node.start >= changes[0].oldEnd else { return }
        if node.kind == .string || node.kind == .data {
            let start = Int(moved(UInt32(node.content.lowerBound)))
            node.content = start..<start + node.content.count
        }
        node.start = moved(node.start)
        node.keyStart = moved(node.keyStart)
    }

    /// Returns the new place of an offset outside of the changed scalars.
    private func moved(_ offset: UInt32) -> UInt32 {
        if offset < changes[0].oldEnd { return offset }
        var (found, end) = (0, changes.count)
        // Most values follow all changes.
        if offset >= changes[end - 1].oldEnd { found = end - 1 }
        while end - found > 1 {
            let middle = (found + end) / 2
            if changes[middle].oldEnd <= offset { found = middle } else { end = middle }
        }
        return UInt32(Int(offset) + changes[found].distance)
    }
}

/// A scanner of a format that reads a value the same way wherever the value is.
protocol ValueScanner: TextScanner {
    var builder: DocumentBuilder { get }

    /// Reads the value at an offset, or only the start of the value if it is a container.
    mutating func scanValue(at start: Int) throws(ScanFailure)
}

extension ValueScanner {
    mutating func skipBlanks() {
        while current.isBlank { offset += 1 }
    }

    /// Reads the scalar at an offset. Returns `nil` if there is none.
    fileprivate mutating func scalar(at start: Int) -> DocumentNode? {
        guard start < bytes.count, (try? scanValue(at: start)) != nil, let node = builder.nodes.last,
            !node.isContainer, Int(node.start) == start,
            // Other characters may contradict the encoding that the file declares.
            bytes.span.extracting(node.range).isASCII
        else { return nil }
        return node
    }
}

extension PrefsDocument {
    /// Returns the index of the last value that begins at or before an offset, if it is a scalar.
    fileprivate func indexOfScalar(at offset: Int) -> Int? {
        var (low, high) = (0, nodes.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(nodes[middle].start) <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 && !nodes[low - 1].isContainer ? low - 1 : nil
    }
}
