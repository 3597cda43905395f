/// The tables of a TOML file while it is read.
///
/// Headers and dotted keys may define the tables of a file in any order, and one table in several places, so the
/// values are collected in this tree first, in the order of the file, and put into that of the document when the
/// file has been read. Each takes 37 bytes, 41 for an edit: a file can hold one in every two bytes.
struct TOMLTree {
    /// The way in which a table, an array or a value was defined, which decides what may be added to it.
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

    /// The values, as they are in the document, except for the links between them.
    private var nodes: [DocumentNode] = []
    private var parents: [UInt32] = []
    private var forms: [Form] = []
    /// The starts of the key/value pairs, dotted prefix included, and of the headers, which only an edit needs.
    private var entryStarts: [UInt32] = []
    private let wantsEntryStarts: Bool
    /// True while each container is followed by everything in it, as in the document.
    private var isInOrder = true
    private let text: DocumentText
    private let limits: PrefsLimits
    /// The tables that headers and dotted keys have defined, which may be found again.
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

    /// Returns the last value in a container that has one, while the file is read.
    func last(in container: Int) -> Int { nodes[container].table }

    /// Returns true if nothing has been added to a container yet, while the file is read.
    func isEmptyContainer(_ index: Int) -> Bool { nodes[index].table == 0 }
}

extension TOMLTree {
    /// Adds an entry to a table, or an element to an array.
    ///
    /// A table must not be there yet. Whether a value has the same key as another entry is checked when the file has
    /// been read.
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

    /// While the file is read, a container's node has the first and the last value in it, and each of these the next;
    /// what a node of the document has in these places is known only afterwards.
    private mutating func link(_ index: Int, to parent: Int) {
        let last = nodes[parent].table
        if last == 0 { nodes[parent].count = index } else { nodes[last].next = UInt32(index) }
        nodes[parent].table = index
    }

    /// Returns true if a container is the last value, or one around it.
    private func isAroundLast(_ container: Int) -> Bool {
        var index = nodes.count - 1
        while index > container { index = Int(parents[index]) }
        return index == container
    }

    /// Returns the table that a header or a dotted key has defined in another one.
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
    /// Puts the values into the order of the document: each container followed by what it contains, and `next` the
    /// index after that. Nothing can be found or added any more.
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
            // The next sibling, or that of the innermost container that has one.
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

    /// Returns what an arranged container contains.
    func children(of index: Int) -> DocumentChildren { DocumentChildren(of: index, in: nodes) }
}
