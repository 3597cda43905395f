/// Collects the values that a scanner finds, and checks the rules common to all formats: keys only in
/// dictionaries, each once; nesting depth and number of values within the limits.
struct DocumentBuilder {
    let text: DocumentText
    let limits: PrefsLimits
    /// True if duplicate keys are errors instead of warnings.
    let isStrict: Bool

    private(set) var nodes: [DocumentNode] = []
    private(set) var keys = KeyTable()
    private(set) var duplicates = DuplicateKeys()
    private var open: [OpenContainer] = []
    private var pendingKey: PendingKey?

    private struct OpenContainer {
        var node: Int
        /// The length of the keys on the path to the container, with a dot after each.
        var pathLength: Int
    }

    private struct PendingKey {
        var run: TextRun
        var length: Int
        var flags: DocumentNode.Flags
    }

    /// - Parameter count: The number of values to reserve space for; `nil` to estimate it.
    init(_ text: DocumentText, limits: PrefsLimits, isStrict: Bool, expecting count: Int? = nil) {
        self.text = text
        self.limits = limits
        self.isStrict = isStrict
        nodes.reserveCapacity(count ?? limits.expectedValues(in: text.bytes.count))
    }

    /// Reserves space for a number of values, so that adding them copies nothing.
    mutating func reserve(_ count: Int) { nodes.reserveCapacity(min(count, limits.values)) }

    /// The kind of container that the next value belongs to; `nil` outside the root.
    var container: PrefsValue.Kind? { open.last.map { nodes[$0.node].kind } }

    var depth: Int { open.count }

    /// True in a dictionary between a key and its value.
    var hasKey: Bool { pendingKey != nil }

    /// Sets the key of the next value. The scanner ensures that the container is a dictionary with no pending
    /// key.
    mutating func setKey(_ run: TextRun, flags: DocumentNode.Flags = []) throws(ScanFailure) {
        let length = text.length(of: run.range, isEncoded: run.isEncoded)
        try checkLength((open.last?.pathLength ?? 0) + length, at: run.range.lowerBound)
        try text.checkMarks(in: run)
        pendingKey = PendingKey(run: run, length: length, flags: flags)
    }

    /// Rejects a key that is too long together with the keys above it.
    private func checkLength(_ length: Int, at place: @autoclosure () -> Int) throws(ScanFailure) {
        guard length > limits.keyLength else { return }
        throw ScanFailure(
            place(),
            "the key, with those above it, is \(length) bytes long; the limit is \(limits.keyLength)",
            code: .tooLarge)
    }

    /// Adds a string or data, whose content is the run; `range` includes the markup.
    mutating func add(_ kind: PrefsValue.Kind, _ run: TextRun, range: Range<Int>) throws(ScanFailure) {
        try text.checkMarks(in: run)
        var node = DocumentNode(start: UInt32(range.lowerBound), end: UInt32(range.upperBound), kind: kind)
        node.setContent(run)
        try add(node)
    }

    /// Adds a scalar of another kind, whose bits are the payload.
    mutating func add(_ kind: PrefsValue.Kind, payload: UInt64, range: Range<Int>) throws(ScanFailure) {
        try add(
            DocumentNode(
                start: UInt32(range.lowerBound), end: UInt32(range.upperBound), kind: kind, payload: payload))
    }

    mutating func add(_ integer: IntegerBits, range: Range<Int>) throws(ScanFailure) {
        var node = DocumentNode(
            start: UInt32(range.lowerBound), end: UInt32(range.upperBound), kind: .integer)
        node.integer = integer
        try add(node)
    }

    mutating func add(_ node: DocumentNode) throws(ScanFailure) {
        guard nodes.count < limits.values else {
            throw ScanFailure(Int(node.start), "more than \(limits.values) values", code: .tooLarge)
        }
        var node = node
        if let key = pendingKey {
            node.setKey(key.run)
            node.flags.formUnion(key.flags)
            pendingKey = nil
        }
        node.next = UInt32(nodes.count + 1)
        nodes.append(node)
    }

    mutating func openContainer(
        _ kind: PrefsValue.Kind, at start: Int, flags: DocumentNode.Flags = []
    ) throws(ScanFailure) {
        try checkDepth(at: start)
        let parent = open.last?.pathLength ?? 0
        let pathLength = parent + (pendingKey.map { $0.length + 1 } ?? 0)
        open.append(OpenContainer(node: nodes.count, pathLength: pathLength))
        try add(DocumentNode(start: UInt32(start), end: UInt32(start), kind: kind, flags: flags))
    }

    private func checkDepth(at place: Int) throws(ScanFailure) {
        guard open.count < limits.depth else {
            throw ScanFailure(place, "nested deeper than \(limits.depth) levels", code: .tooLarge)
        }
    }

    /// Ends the innermost container; `end` is the offset after it.
    mutating func closeContainer(at end: Int) throws(ScanFailure) {
        guard let index = open.popLast()?.node else { return }
        nodes[index].end = UInt32(end)
        nodes[index].next = UInt32(nodes.count)
        try finishContainer(index)
    }

    private mutating func finishContainer(_ index: Int) throws(ScanFailure) {
        if nodes[index].kind == .dictionary {
            try finishDictionary(index)
        } else {
            nodes[index].count = countChildren(of: index)
        }
    }

    private func countChildren(of index: Int) -> Int {
        var count = 0
        var child = index + 1
        while child < nodes[index].next {
            count += 1
            child = Int(nodes[child].next)
        }
        return count
    }
}

extension DocumentBuilder {
    /// Takes over the values of a whole file from the scanner, without copying them.
    ///
    /// - Parameter values: The values in the order of the document, each with its key. The `next` of a value is
    ///   the index after everything in it. The scanner has checked their number, and the combining marks in
    ///   their texts. The array is empty afterwards.
    mutating func adopt(_ values: inout [DocumentNode]) throws(ScanFailure) {
        swap(&nodes, &values)
        values = []
        for index in nodes.indices {
            while let last = open.last, nodes[last.node].next <= index {
                open.removeLast()
                try finishContainer(last.node)
            }
            var pathLength = 0
            if let parent = open.last {
                pathLength = parent.pathLength
                if nodes[parent.node].kind == .dictionary {
                    let isEncoded = nodes[index].flags.contains(.encodedKey)
                    pathLength += text.length(of: nodes[index].keyRange, isEncoded: isEncoded)
                    try checkLength(pathLength, at: text.entryStart(of: nodes[index]))
                    pathLength += 1
                }
            }
            guard nodes[index].isContainer else { continue }
            try checkDepth(at: Int(nodes[index].start))
            open.append(OpenContainer(node: index, pathLength: pathLength))
        }
        while let last = open.popLast() { try finishContainer(last.node) }
    }

    /// Marks all but the last of the entries with equal keys as shadowed, and builds the hash table of a large
    /// dictionary.
    private mutating func finishDictionary(_ index: Int) throws(ScanFailure) {
        let count = countChildren(of: index)
        let table = count < KeyTable.threshold ? 0 : keys.open(count: count)
        var distinct = 0
        var child = index + 1
        while child < nodes[index].next {
            if let previous = enter(child, of: index, table: table) {
                try noteDuplicate(child, of: previous)
            } else {
                distinct += 1
            }
            child = Int(nodes[child].next)
        }
        nodes[index].table = table
        nodes[index].count = distinct
    }

    /// Adds a child to its preceding siblings. Returns the sibling that has the same key.
    private mutating func enter(_ child: Int, of parent: Int, table: Int) -> Int? {
        guard table > 0 else { return elderSibling(of: child, in: parent) }
        let node = nodes[child]
        let text = text
        return keys.insert(child, hash: text.hash(ofKeyOf: node), into: table) { [nodes] in
            text.key(of: nodes[$0], is: node, of: text)
        }
    }

    private func elderSibling(of child: Int, in parent: Int) -> Int? {
        var sibling = parent + 1
        while sibling < child {
            if !nodes[sibling].flags.contains(.shadowed),
                text.key(of: nodes[sibling], is: nodes[child], of: text)
            {
                return sibling
            }
            sibling = Int(nodes[sibling].next)
        }
        return nil
    }

    private mutating func noteDuplicate(_ later: Int, of earlier: Int) throws(ScanFailure) {
        nodes[earlier].flags.insert(.shadowed)
        let duplicate = DuplicateKeys.Pair(earlier: nodes[earlier], later: nodes[later])
        guard isStrict else { return duplicates.note(duplicate) }
        throw ScanFailure(
            duplicate.place(in: text), duplicate.reason(in: text, ending: "a key may appear only once"))
    }
}
