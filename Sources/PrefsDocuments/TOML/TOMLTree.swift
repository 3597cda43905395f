/// The tables of a TOML file while it is read.
///
/// Headers and dotted keys may define the tables of a file in any order, and one table in several places. So the
/// scanner first collects the values in this tree, in the order of the file. When it has read the file, it
/// arranges them in the order of the document. A value takes 37 bytes, or 41 for an edit. A file can hold a
/// value in every two bytes.
struct TOMLTree {
    /// How a table, an array or a value was defined. The form decides whether anything can be added to it.
    enum Form: UInt8 {
        /// A scalar, an array in brackets or a table in braces. Nothing can be added to it.
        case value
        /// A table with a header, `[a]`.
        case header
        /// A table that only the headers of its sub-tables name: `a` in `[a.b]`. It may still get its own header.
        case implied
        /// A table that dotted keys define: `a` in `a.b = 1`.
        case dotted
        /// An array of tables, `[[a]]`.
        case tables
        /// An element of an array of tables.
        case element
    }

    /// The values as in the document, except for the links between them.
    private var nodes: [DocumentNode] = []
    private var parents: [UInt32] = []
    private var forms: [Form] = []
    /// The starts of the headers and of the key/value pairs, including a dotted prefix. Only an edit needs them.
    private var entryStarts: [UInt32] = []
    private let wantsEntryStarts: Bool
    /// True while each container is followed by everything in it, as in the document.
    private var isInOrder = true
    private let text: DocumentText
    private let limits: PrefsLimits
    /// The tables that headers and dotted keys have defined. Later headers and keys may name them again.
    private var tables: [UInt32] = []
    /// The tables by parent and key.
    private var keys = KeyTable()
    /// The number of tables that ``keys`` has space for.
    private var capacity = 32

    init(_ text: DocumentText, limits: PrefsLimits, wantsEntryStarts: Bool) {
        self.text = text
        self.limits = limits
        self.wantsEntryStarts = wantsEntryStarts
        _ = keys.open(count: capacity)
        let count = limits.expectedValues(in: text.bytes.count)
        nodes.reserveCapacity(count)
        parents.reserveCapacity(count)
        forms.reserveCapacity(count)
        if wantsEntryStarts { entryStarts.reserveCapacity(count) }
        nodes.append(DocumentNode(start: 0, end: 0, kind: .dictionary, flags: .separate))
        parents.append(0)
        forms.append(.header)
        if wantsEntryStarts { entryStarts.append(0) }
    }

    var count: Int { nodes.count }

    subscript(index: Int) -> DocumentNode {
        get { nodes[index] }
        set { nodes[index] = newValue }
    }

    func form(of index: Int) -> Form { forms[index] }

    func parent(of index: Int) -> Int { Int(parents[index]) }

    func entryStart(of index: Int) -> Int { Int(entryStarts[index]) }

    mutating func setForm(_ form: Form, of index: Int) { forms[index] = form }

    mutating func setEntryStart(_ start: Int, of index: Int) {
        if wantsEntryStarts { entryStarts[index] = UInt32(start) }
    }

    mutating func end(_ index: Int, at end: Int) { nodes[index].end = UInt32(end) }

    /// Returns the last value in a container that is not empty. Call it only while the file is read.
    func last(in container: Int) -> Int { nodes[container].table }

    /// Returns true if a container is empty so far. Call it only while the file is read.
    func isEmptyContainer(_ index: Int) -> Bool { nodes[index].table == 0 }
}

extension TOMLTree {
    /// Adds an entry to a table, or an element to an array.
    ///
    /// A table must be new. Whether a value has the same key as another entry is checked after the file has been
    /// read.
    mutating func add(_ node: DocumentNode, _ form: Form, to parent: Int, entryStart: Int)
        throws(ScanFailure) -> Int
    {
        let index = nodes.count
        guard index < limits.values else {
            throw ScanFailure(entryStart, "more than \(limits.values) values", code: .tooLarge)
        }
        if isInOrder { isInOrder = isAroundLast(parent) }
        nodes.append(node)
        parents.append(UInt32(parent))
        forms.append(form)
        if wantsEntryStarts { entryStarts.append(UInt32(entryStart)) }
        link(index, to: parent)
        if form != .value, form != .element { enter(index) }
        return index
    }

    /// While the file is read, a container's node refers to the first and the last value in it, and each value
    /// to the next one. The node gets its final contents only afterwards.
    private mutating func link(_ index: Int, to parent: Int) {
        let last = nodes[parent].table
        if last == 0 { nodes[parent].count = index } else { nodes[last].next = UInt32(index) }
        nodes[parent].table = index
    }

    /// Returns true if a container is the last value, or contains the last value.
    private func isAroundLast(_ container: Int) -> Bool {
        var index = nodes.count - 1
        while index > container { index = Int(parents[index]) }
        return index == container
    }

    /// Returns the table that a header or a dotted key has defined in another table.
    func find(_ key: DocumentNode, in parent: Int) -> Int? {
        keys.find(hash: hash(of: key, in: parent), in: 1) { table in
            parents[table] == parent && text.key(of: nodes[table], is: key, of: text)
        }
    }

    private mutating func enter(_ table: Int) {
        tables.append(UInt32(table))
        guard tables.count > capacity else { return insert(table) }
        capacity *= 2
        keys = KeyTable()
        _ = keys.open(count: capacity)
        for table in tables { insert(Int(table)) }
    }

    private mutating func insert(_ table: Int) {
        let hash = hash(of: nodes[table], in: parent(of: table))
        // Every table is new.
        _ = keys.insert(table, hash: hash, into: 1) { _ in false }
    }

    private func hash(of key: DocumentNode, in parent: Int) -> UInt64 {
        let hash = text.hash(ofKeyOf: key) &+ UInt64(parent) &* 0x9E37_79B9_7F4A_7C15
        return hash ^ hash >> 32
    }
}

extension TOMLTree {
    /// Puts the values into the order of the document: a container's contents follow it, and its `next` is the
    /// index after them. Afterwards, nothing can be found or added.
    mutating func arrange() {
        (keys, tables) = (KeyTable(), [])
        if !wantsEntryStarts { (parents, forms) = ([], []) }
        var positions = isInOrder ? [] : [UInt32](repeating: 0, count: nodes.count)
        var open: [Int] = []
        var index = 0
        var count = 0
        while true {
            if !isInOrder { positions[index] = UInt32(count) }
            count += 1
            let first = nodes[index].isContainer ? nodes[index].count : 0
            if nodes[index].isContainer { nodes[index].payload = 0 }
            guard first == 0 else {
                open.append(index)
                index = first
                continue
            }
            // The next sibling of the value, or else of the innermost container that has one.
            while true {
                let sibling = Int(nodes[index].next)
                nodes[index].next = UInt32(count)
                if sibling != 0 {
                    index = sibling
                    break
                }
                guard let container = open.popLast() else { return permute(to: positions) }
                index = container
            }
        }
    }

    /// Moves each value to its position, in place.
    private mutating func permute(to positions: consuming [UInt32]) {
        var positions = positions
        for index in parents.indices where !positions.isEmpty {
            parents[index] = positions[Int(parents[index])]
        }
        for index in positions.indices {
            while positions[index] != index {
                let target = Int(positions[index])
                positions.swapAt(index, target)
                nodes.swapAt(index, target)
                guard wantsEntryStarts else { continue }
                parents.swapAt(index, target)
                forms.swapAt(index, target)
                entryStarts.swapAt(index, target)
            }
        }
    }

    /// Hands the arranged values over to the document, without a copy of them.
    mutating func give(to builder: inout DocumentBuilder) throws(ScanFailure) { try builder.adopt(&nodes) }

    /// Returns the children of an arranged container.
    func children(of index: Int) -> DocumentChildren { DocumentChildren(of: index, in: nodes) }
}
