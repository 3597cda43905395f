/// Reads YAML 1.2, strictly: the core schema, one document, no tags, no null, each key once.
///
/// A file without content, or with nothing but comments, is an empty dictionary.
struct YAMLScanner {
    private let text: DocumentText
    private let limits: PrefsLimits
    private var tree: YAMLTree
    private var anchors: [String: Int] = [:]
    /// The collections that have not ended, the innermost last.
    private var open: [Int] = []
    /// The key of the next value.
    private var key: Key?

    private struct Key {
        var node: DocumentNode
        var range: Range<Int>
        var isMerge: Bool
    }

    init(_ text: DocumentText, limits: PrefsLimits) {
        self.text = text
        self.limits = limits
        tree = YAMLTree(reserving: limits.expectedValues(in: text.bytes.count))
    }

    mutating func scan() throws(ScanFailure) -> DocumentBuilder {
        try scanEvents()
        var expansion = YAMLExpansion(tree, text, limits: limits)
        return try expansion.build()
    }

    /// Reads the file; returns its values as they are written, and the places of the document's nodes.
    mutating func scanTree() throws(ScanFailure) -> (tree: YAMLTree, places: [YAMLPlace]) {
        try scanEvents()
        var expansion = YAMLExpansion(tree, text, limits: limits, wantsPlaces: true)
        _ = try expansion.build()
        return (tree, expansion.places ?? [])
    }

    private mutating func scanEvents() throws(ScanFailure) {
        try YAMLCharacters.check(text.bytes)
        var events = try YAMLEvents(text.bytes)
        var hasDocument = false
        while true {
            let event = try events.next()
            switch event.kind {
            case .endOfFile: return
            case .document:
                guard !hasDocument else {
                    throw ScanFailure(
                        event.range.lowerBound, "a second document begins here; a file holds one")
                }
                hasDocument = true
            case .end: end(event)
            case .mapping, .sequence, .alias, .scalar:
                if isAtKey { try readKey(event) } else { try readValue(event) }
            }
        }
    }

    /// True if the next event is the key of a mapping.
    private var isAtKey: Bool { key == nil && open.last.map { tree[$0].node.kind == .dictionary } ?? false }

    private mutating func end(_ event: YAMLEvent) {
        guard let index = open.popLast() else { return }
        tree[index].traits.remove(.open)
        tree[index].node.end = UInt32(
            tree[index].form == .flow ? event.range.upperBound : tree.end(of: index))
    }
}

extension YAMLScanner {
    private mutating func readKey(_ event: YAMLEvent) throws(ScanFailure) {
        let start = event.range.lowerBound
        guard event.kind == .scalar, !event.form.isBlockScalar else {
            throw ScanFailure(start, "a key must be written as a text")
        }
        guard event.anchor == nil else { throw ScanFailure(start, "a key cannot have an anchor") }
        guard event.form != .plain || !event.range.isEmpty else {
            throw ScanFailure(start, "expected a key before “:”")
        }
        guard !text.bytes[event.range].contains(UInt8(ascii: "\n")) else {
            throw ScanFailure(start, "a key must be on one line")
        }
        var node = DocumentNode(start: UInt32(start), end: UInt32(start), kind: .dictionary)
        switch event.content {
        case .source(let range):
            (node.keyStart, node.keyLength) = (UInt32(range.lowerBound), UInt32(range.count))
            if !text.bytes.span.extracting(range).isASCII { node.flags.insert(.unicodeKey) }
        case .decoded(let bytes):
            node.flags = [.encodedKey, .unicodeKey]
            (node.keyStart, node.keyLength) = (UInt32(tree.decoded.count), UInt32(bytes.count))
            tree.decodedKeys.append(DecodedText.Key(decoded: tree.decoded.count, source: start))
            tree.decoded += bytes
        }
        let isMerge = event.form == .plain && text.bytes[event.range].elementsEqual("<<".utf8)
        key = Key(node: node, range: event.range, isMerge: isMerge)
        guard isMerge, let mapping = open.last else { return }
        guard !tree[mapping].traits.contains(.merging) else {
            throw ScanFailure(start, "duplicate key “<<”; list the mappings to merge in brackets")
        }
        tree[mapping].traits.insert(.merging)
    }

    private mutating func readValue(_ event: YAMLEvent) throws(ScanFailure) {
        let start = event.range.lowerBound
        var item = item(for: event)
        switch event.kind {
        case .alias: try resolve(event, &item)
        case .mapping, .sequence:
            guard open.count < limits.depth else {
                throw ScanFailure(start, "nested deeper than \(limits.depth) levels", code: .tooLarge)
            }
            item.node.kind = event.kind == .mapping ? .dictionary : .array
            item.traits.insert(.open)
        default: try resolveScalar(event, &item)
        }
        guard tree.items.count < limits.values else {
            throw ScanFailure(start, "more than \(limits.values) values", code: .tooLarge)
        }
        // An empty document is an empty dictionary.
        guard !(tree.isEmpty && item.node.kind == .dictionary && event.kind == .scalar) else { return }
        let index = tree.add(item)
        if let anchor = event.anchor, event.kind != .alias {
            tree[index].traits.insert(.anchored)
            anchors[anchor] = index
        }
        if item.traits.contains(.open) { open.append(index) }
    }

    /// Returns the item of a value with its key.
    private mutating func item(for event: YAMLEvent) -> YAMLTree.Item {
        defer { key = nil }
        var node = key?.node ?? DocumentNode(start: 0, end: 0, kind: .dictionary)
        node.start = UInt32(event.range.lowerBound)
        node.end = UInt32(event.range.upperBound)
        var item = YAMLTree.Item(
            node: node, entryStart: UInt32(key?.range.lowerBound ?? event.range.lowerBound),
            parent: Int32(open.last ?? 0), form: event.form)
        item.keyEnd = UInt32(key?.range.upperBound ?? 0)
        if key?.isMerge == true { item.traits.insert(.merge) }
        return item
    }

    private mutating func resolve(_ event: YAMLEvent, _ item: inout YAMLTree.Item) throws(ScanFailure) {
        let start = event.range.lowerBound
        guard let target = event.anchor.flatMap({ anchors[$0] }) else {
            throw ScanFailure(start, "unknown alias: no anchor of this name precedes it")
        }
        guard !tree[target].traits.contains(.open) else {
            throw ScanFailure(start, "the alias stands for a value that contains it")
        }
        item.node.kind = tree[target].node.kind
        item.target = target
        tree.noteAlias(of: target, at: start)
    }

    private mutating func resolveScalar(_ event: YAMLEvent, _ item: inout YAMLTree.Item) throws(ScanFailure) {
        let start = event.range.lowerBound
        item.node.kind = .string
        switch event.content {
        case .source(let range):
            item.node.content = range
            guard event.form == .plain else { return }
            switch try YAMLScalar(text.bytes[range], at: start) {
            case .null:
                // Nothing at all in the whole document.
                guard !tree.isEmpty || !range.isEmpty || event.anchor != nil else {
                    item.node.kind = .dictionary
                    return
                }
                throw ScanFailure(
                    start, "null is not supported; remove the key, or write \"\" for an empty text")
            case .bool(let value): (item.node.kind, item.node.payload) = (.bool, value ? 1 : 0)
            case .integer(let bits, let isUnsigned):
                (item.node.kind, item.node.payload) = (.integer, bits)
                if isUnsigned { item.node.flags.insert(.unsigned) }
            case .real(let value): (item.node.kind, item.node.payload) = (.real, value.bitPattern)
            case .string: break
            }
        case .decoded(let bytes):
            item.node.flags.insert(.encodedValue)
            item.node.content = tree.decoded.count..<tree.decoded.count + bytes.count
            tree.decoded += bytes
        }
    }
}
