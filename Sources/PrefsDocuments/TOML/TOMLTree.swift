/// The tables of a TOML file while it is read.
///
/// Headers and dotted keys may define the tables of a file in any order, and one table in several places, so
/// the values are collected in this tree first, and added to the document when the file has been read.
struct TOMLTree {
    /// The kind of definition of a table, an array or a value, which decides what may be added to it.
    enum Form: UInt8 {
        /// A scalar, an array in brackets or a table in braces, to which nothing can be added.
        case value
        /// A table with a header, `[a]`.
        case header
        /// A table above one with a header: `a` in `[a.b]`. It may still get a header of its own.
        case implied
        /// A table that dotted keys define: `a` in `a.b = 1`.
        case dotted
        /// An array of tables, `[[a]]`.
        case tables
        /// An element of an array of tables.
        case element
    }

    struct Item {
        /// The value, as it is added to the document, except for the links to other items.
        var node: DocumentNode
        /// The start of the key/value pair, dotted prefix included, or of the header.
        var entryStart: UInt32
        var parent: Int32
        var form: Form

        // What a node of the document has in these places is known only when it is added.

        /// The next item of the same parent; 0 if this is the last.
        var next: Int {
            get { Int(node.next) }
            set { node.next = UInt32(newValue) }
        }

        /// The first item in a container; 0 if it is empty.
        var first: Int {
            get { node.isContainer ? node.count : 0 }
            set { node.count = newValue }
        }

        /// The last item in a container; 0 if it is empty.
        var last: Int {
            get { node.isContainer ? node.table : 0 }
            set { node.table = newValue }
        }
    }

    private(set) var items: [Item]
    private let text: DocumentText
    private let limits: PrefsLimits
    /// The items by parent and key: open addressing with linear probing, at most half full.
    private var slots: [Int32]

    init(_ text: DocumentText, limits: PrefsLimits) {
        self.text = text
        self.limits = limits
        let root = DocumentNode(start: 0, end: 0, kind: .dictionary, flags: .separate)
        items = []
        items.reserveCapacity(limits.expectedValues(in: text.bytes.count))
        items.append(Item(node: root, entryStart: 0, parent: -1, form: .header))
        slots = Array(repeating: 0, count: 64)
    }

    subscript(index: Int) -> Item {
        get { items[index] }
        set { items[index] = newValue }
    }

    /// Returns the entry of a table that has the same key as a node.
    func find(_ key: DocumentNode, in parent: Int) -> Int? {
        let found = Int(slots[slot(for: key, in: parent)])
        return found == 0 ? nil : found
    }

    /// Adds an entry to a table, which has none with this key, or an element to an array.
    mutating func add(_ node: DocumentNode, _ form: Form, to parent: Int, entryStart: Int)
        throws(ScanFailure) -> Int
    {
        let index = items.count
        guard index < limits.values else {
            throw ScanFailure(entryStart, "more than \(limits.values) values", code: .tooLarge)
        }
        items.append(
            Item(node: node, entryStart: UInt32(entryStart), parent: Int32(parent), form: form))
        if items[parent].first == 0 {
            items[parent].first = index
        } else {
            items[items[parent].last].next = index
        }
        items[parent].last = index
        guard items[parent].node.kind == .dictionary else { return index }
        if index * 2 >= slots.count { grow() } else { slots[slot(for: node, in: parent)] = Int32(index) }
        return index
    }

    /// Forgets which items belong to which keys; nothing can be found or added any more.
    mutating func dropIndex() { slots = [] }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for index in items.indices.dropFirst() {
            let parent = Int(items[index].parent)
            guard items[parent].node.kind == .dictionary else { continue }
            slots[slot(for: items[index].node, in: parent)] = Int32(index)
        }
    }

    private func slot(for key: DocumentNode, in parent: Int) -> Int {
        let mask = slots.count - 1
        var hash = text.hash(ofKeyOf: key) &+ UInt64(parent) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        var position = Int(truncatingIfNeeded: hash) & mask
        while slots[position] != 0 {
            let item = items[Int(slots[position])]
            if item.parent == parent, text.key(of: item.node, is: key, of: text) { break }
            position = (position + 1) & mask
        }
        return position
    }
}

extension TOMLTree {
    /// Adds everything to the document, each container followed by its children, and visits the indices of the
    /// items in that order.
    func build(_ builder: inout DocumentBuilder, _ visit: (Int) -> Void = { _ in }) throws(ScanFailure) {
        builder.reserve(items.count)
        var open: [Int] = []
        var index = 0
        while true {
            let item = items[index]
            visit(index)
            if let parent = open.last, items[parent].node.kind == .dictionary {
                try builder.setKey(item.node.key)
            }
            if item.node.isContainer {
                let flags = item.node.flags.intersection(.separate)
                try builder.openContainer(item.node.kind, at: Int(item.node.start), flags: flags)
                open.append(index)
                if item.first != 0 {
                    index = item.first
                    continue
                }
                try builder.closeContainer(at: Int(item.node.end))
                open.removeLast()
            } else {
                if item.node.kind == .string { try builder.checkMarks(in: text.run(of: item.node)) }
                try builder.add(item.node)
            }
            // The next sibling, or that of the innermost container that has one.
            while items[index].next == 0, let container = open.popLast() {
                try builder.closeContainer(at: Int(items[container].node.end))
                index = container
            }
            guard items[index].next != 0 else { return }
            index = items[index].next
        }
    }
}

extension DocumentNode {
    /// The key of an item.
    fileprivate var key: TextRun {
        TextRun(
            range: keyRange, isEncoded: flags.contains(.encodedKey), isASCII: !flags.contains(.unicodeKey))
    }
}

extension DocumentText {
    /// Returns the content of a string.
    fileprivate func run(of node: DocumentNode) -> TextRun {
        let isEncoded = node.flags.contains(.encodedValue)
        let isASCII = !isEncoded && bytes.span.extracting(node.content).isASCII
        return TextRun(range: node.content, isEncoded: isEncoded, isASCII: isASCII)
    }
}
