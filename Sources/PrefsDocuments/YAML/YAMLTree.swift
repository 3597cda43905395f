/// The values of a YAML file as it spells them: aliases and merge keys are resolved when they are added to the
/// document.
struct YAMLTree {
    struct Item {
        /// The value, as it is added to the document, except for the links to other items.
        var node: DocumentNode
        /// The start of the entry: of its key with the quotation mark, or of an element.
        var entryStart: UInt32
        /// The end of the key with the quotation mark.
        var keyEnd: UInt32 = 0
        var parent: Int32
        var form: YAMLForm
        var traits: Traits = []

        // What a node of the document has in these places is known only when it is added.

        /// The next item of the same parent; 0 if this is the last.
        var next: Int {
            get { Int(node.next) }
            set { node.next = UInt32(newValue) }
        }

        /// The first item in a collection; 0 if it is empty.
        var first: Int {
            get { node.isContainer ? node.count : 0 }
            set { node.count = newValue }
        }

        /// The last item in a collection; 0 if it is empty.
        var last: Int {
            get { node.isContainer && form != .alias ? node.table : 0 }
            set { node.table = newValue }
        }

        /// The value that an alias stands for.
        var target: Int {
            get { node.table }
            set { node.table = newValue }
        }

        struct Traits: OptionSet {
            let rawValue: UInt8
            static let anchored = Traits(rawValue: 1)
            /// The collection has not ended yet.
            static let open = Traits(rawValue: 2)
            /// The key is `<<`.
            static let merge = Traits(rawValue: 4)
            /// An entry of the mapping is a merge key.
            static let merging = Traits(rawValue: 8)
        }
    }

    private(set) var items: [Item] = []
    /// The place of the first alias of each value that has one.
    private(set) var aliases: [Int: Int] = [:]
    /// Strings that the file spells in another way.
    var decoded: [UInt8] = []
    var decodedKeys: [DecodedText.Key] = []

    subscript(index: Int) -> Item {
        get { items[index] }
        set { items[index] = newValue }
    }

    var isEmpty: Bool { items.isEmpty }

    /// - Parameter count: The number of items to make space for.
    init(reserving count: Int) { items.reserveCapacity(count) }

    mutating func noteAlias(of target: Int, at place: Int) {
        if aliases[target] == nil { aliases[target] = place }
    }

    mutating func add(_ item: Item) -> Int {
        let index = items.count
        items.append(item)
        guard index > 0 else { return index }
        let parent = Int(item.parent)
        if items[parent].first == 0 {
            items[parent].first = index
        } else {
            items[items[parent].last].next = index
        }
        items[parent].last = index
        return index
    }

    func children(of item: Int) -> [Int] {
        var children: [Int] = []
        var child = items[item].first
        while child != 0 {
            children.append(child)
            child = items[child].next
        }
        return children
    }

    /// Returns the last value in an item, or the item itself if it is not a collection by indentation.
    func lastValue(in item: Int) -> Int {
        var item = item
        while items[item].form == .block, items[item].last != 0 { item = items[item].last }
        return item
    }

    /// Returns the end of the last value in an item.
    func end(of item: Int) -> Int { Int(items[lastValue(in: item)].node.end) }
}

/// A value of the document, and the item that it was made from.
struct YAMLPlace {
    var item: Int
    /// The value is not written here, but where an anchor is.
    var isExpanded: Bool
}

/// Adds the values of a tree to a document, each alias with a copy of what it stands for, and each mapping with the
/// entries that it merges.
struct YAMLExpansion {
    private let tree: YAMLTree
    private let text: DocumentText
    private var builder: DocumentBuilder
    /// The places of the document's nodes, if they are wanted.
    private(set) var places: [YAMLPlace]?
    private var open: [OpenCollection] = []
    /// The size of the text that may still be expanded.
    private var allowance: Int

    private struct OpenCollection {
        var kind: PrefsValue.Kind
        var end: Int
        /// The entries, if the mapping merges others.
        var entries: [YAMLPlace]?
        /// The next entry, or its index in `entries`.
        var next: Int
        var isExpanded: Bool
    }

    init(_ tree: YAMLTree, _ text: DocumentText, limits: PrefsLimits, wantsPlaces: Bool = false) {
        self.tree = tree
        if wantsPlaces { places = [] }
        let decoded = DecodedText(bytes: tree.decoded, keys: tree.decodedKeys)
        self.text = DocumentText(bytes: text.bytes, format: text.format, decoded: decoded)
        // Duplicate keys are errors in YAML.
        builder = DocumentBuilder(self.text, limits: limits, isStrict: true)
        builder.reserve(tree.items.count)
        allowance = PrefsLimits.unfoldedSize(of: text.bytes.count)
    }

    mutating func build() throws(ScanFailure) -> DocumentBuilder {
        guard !tree.isEmpty else {
            try builder.openContainer(.dictionary, at: 0)
            places?.append(YAMLPlace(item: 0, isExpanded: false))
            try builder.closeContainer(at: text.bytes.count)
            return builder
        }
        try add(YAMLPlace(item: 0, isExpanded: false))
        while !open.isEmpty {
            if let place = nextEntry() {
                try add(place)
            } else {
                try builder.closeContainer(at: open.removeLast().end)
            }
        }
        return builder
    }

    private mutating func nextEntry() -> YAMLPlace? {
        let last = open.count - 1
        let next = open[last].next
        if let entries = open[last].entries {
            guard next < entries.count else { return nil }
            open[last].next += 1
            return entries[next]
        }
        guard next != 0 else { return nil }
        open[last].next = tree[next].next
        return YAMLPlace(item: next, isExpanded: open[last].isExpanded)
    }

    private mutating func add(_ place: YAMLPlace) throws(ScanFailure) {
        let item = tree[place.item]
        let isAlias = item.form == .alias
        let value = isAlias ? tree[item.target] : item
        if place.isExpanded || isAlias { try spend(on: value.node, at: item) }
        places?.append(place)
        if builder.container == .dictionary { try setKey(of: item) }
        var node = value.node
        (node.start, node.end) = (item.node.start, item.node.end)
        // The key is that of the entry, not that of what its alias stands for.
        (node.keyStart, node.keyLength) = (0, 0)
        if isAlias || value.form == .block || value.form.isBlockScalar || value.traits.contains(.merging) {
            node.flags.insert(.separate)
        }
        guard node.isContainer else { return try addScalar(node, at: item) }
        // What an alias in a flow collection stands for is not in the range of the collection.
        try builder.openContainer(node.kind, at: Int(node.start), flags: .separate)
        let container = isAlias ? item.target : place.item
        var collection = OpenCollection(
            kind: node.kind, end: Int(node.end), next: value.first,
            isExpanded: place.isExpanded || isAlias)
        if value.traits.contains(.merging) {
            collection.entries = try entries(of: container, isExpanded: collection.isExpanded)
            collection.next = 0
        }
        open.append(collection)
    }

    private mutating func setKey(of item: YAMLTree.Item) throws(ScanFailure) {
        let flags = item.node.flags
        let run = TextRun(
            range: item.node.keyRange, isEncoded: flags.contains(.encodedKey),
            isASCII: !flags.contains(.unicodeKey))
        do { try builder.setKey(run) } catch let failure { throw failure.moved(to: item) }
    }

    private mutating func addScalar(_ node: DocumentNode, at item: YAMLTree.Item) throws(ScanFailure) {
        var node = node
        node.flags.subtract([.encodedKey, .unicodeKey])
        if node.kind == .string {
            let isEncoded = node.flags.contains(.encodedValue)
            let isASCII = !isEncoded && text.bytes.span.extracting(node.content).isASCII
            let run = TextRun(range: node.content, isEncoded: isEncoded, isASCII: isASCII)
            do { try builder.checkMarks(in: run) } catch let failure { throw failure.moved(to: item) }
        }
        try builder.add(node)
    }
}

extension ScanFailure {
    /// The failure at the place of an entry, because that of a decoded text is not one in the file.
    fileprivate func moved(to item: YAMLTree.Item) -> ScanFailure {
        ScanFailure(Int(item.entryStart), reason, code: code)
    }
}

extension YAMLExpansion {
    /// Returns the entries of a mapping: its own, then those that it merges and does not have.
    private mutating func entries(of mapping: Int, isExpanded: Bool) throws(ScanFailure) -> [YAMLPlace] {
        var entries: [YAMLPlace] = []
        var keys: Set<String> = []
        var sources = [mapping]
        while let source = sources.popLast() {
            let children = tree.children(of: source)
            for child in children where !tree[child].traits.contains(.merge) {
                if source != mapping { try spend(on: tree[child].node, at: tree[child]) }
                let isNew = keys.insert(text.key(of: tree[child].node)).inserted
                // Duplicates of the mapping's own keys are left for the document to refuse.
                guard isNew || source == mapping else { continue }
                entries.append(YAMLPlace(item: child, isExpanded: isExpanded || source != mapping))
            }
            for child in children where tree[child].traits.contains(.merge) {
                sources += try merged(by: child).reversed()
            }
        }
        return entries
    }

    /// Returns the mappings that a merge key names, the most important one first.
    private mutating func merged(by item: Int) throws(ScanFailure) -> [Int] {
        let value = tree[item].form == .alias ? tree[item].target : item
        let sources = tree[value].node.kind == .array ? tree.children(of: value) : [value]
        var mappings: [Int] = []
        for source in sources {
            try spend(on: tree[source].node, at: tree[item])
            let mapping = tree[source].form == .alias ? tree[source].target : source
            guard tree[mapping].node.kind == .dictionary else {
                throw ScanFailure(
                    Int(tree[item].node.start),
                    "the merge key “<<” needs the alias of a mapping, or a list of them in brackets; a key of"
                        + " this name needs quotes")
            }
            mappings.append(mapping)
        }
        return mappings
    }

    /// Subtracts the size of a value from what aliases and merge keys may expand to.
    private mutating func spend(on node: DocumentNode, at item: YAMLTree.Item) throws(ScanFailure) {
        let isText = node.kind == .string
        allowance -= 16 + Int(item.node.keyLength) + (isText ? node.content.count : 0)
        guard allowance < 0 else { return }
        throw ScanFailure(
            Int(item.node.start),
            "aliases expand the file to more than \(PrefsLimits.unfoldedSize(of: text.bytes.count)) bytes",
            code: .tooLarge)
    }
}
