#if YAML
    /// A value of the document, and the item that it was made from.
    struct YAMLPlace {
        var item: Int
        /// True if the value is not written here, but comes from an anchor.
        var isExpanded: Bool
    }

    /// Adds the values of a tree to a document. Each alias becomes a copy of its target, and each mapping gets
    /// the entries that it merges.
    struct YAMLExpansion {
        private let tree: YAMLTree
        private let text: DocumentText
        private var builder: DocumentBuilder
        /// The places of the document's nodes; `nil` if nobody wants them.
        private(set) var places: [YAMLPlace]?
        private var open: [OpenCollection] = []

        private struct OpenCollection {
            var end: Int
            /// The entries, if the mapping merges others.
            var entries: [YAMLPlace]?
            /// The next entry, or its index in `entries`.
            var next: Int
            /// The end of the entries.
            var limit: Int
            var isExpanded: Bool
        }

        init(_ tree: YAMLTree, _ text: DocumentText, limits: PrefsLimits, wantsPlaces: Bool = false) {
            self.tree = tree
            if wantsPlaces { places = [] }
            let decoded = DecodedText(bytes: tree.decoded, keys: tree.decodedKeys)
            self.text = DocumentText(bytes: text.bytes, format: text.format, decoded: decoded)
            // Duplicate keys are errors in YAML.
            builder = DocumentBuilder(self.text, limits: limits, isStrict: true)
            builder.reserve(tree.count)
        }

        mutating func build() throws(ScanFailure) -> DocumentBuilder {
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
            guard next < open[last].limit else { return nil }
            open[last].next = Int(tree[next].next)
            return YAMLPlace(item: next, isExpanded: open[last].isExpanded)
        }

        private mutating func add(_ place: YAMLPlace) throws(ScanFailure) {
            let entry = tree[place.item]
            let isAlias = tree.form(of: place.item) == .alias
            let source = isAlias ? tree.target(of: place.item) : place.item
            places?.append(place)
            if builder.container == .dictionary { try setKey(of: entry) }
            var node = tree[source]
            (node.start, node.end) = (entry.start, entry.end)
            // The key belongs to the entry, not to the target of its alias.
            (node.keyStart, node.keyLength) = (0, 0)
            node.flags.subtract([.encodedKey, .unicodeKey])
            // The bytes of an alias stay the same when its target changes.
            if isAlias { node.flags.insert(.separate) }
            guard node.isContainer else { return try builder.add(node) }
            try builder.openContainer(node.kind, at: Int(node.start), flags: .separate)
            var collection = OpenCollection(
                end: Int(node.end), next: source + 1, limit: Int(tree[source].next),
                isExpanded: place.isExpanded || isAlias)
            if tree.traits(of: source).contains(.merging) {
                collection.entries = entries(of: source, isExpanded: collection.isExpanded)
                collection.next = 0
            }
            open.append(collection)
        }

        private mutating func setKey(of entry: DocumentNode) throws(ScanFailure) {
            let run = TextRun(
                range: entry.keyRange, isEncoded: entry.flags.contains(.encodedKey),
                isASCII: !entry.flags.contains(.unicodeKey))
            do { try builder.setKey(run) } catch let failure {
                // The offset of a decoded text is not an offset in the file.
                throw ScanFailure(text.entryStart(of: entry), failure.reason, code: failure.code)
            }
        }
    }

    extension YAMLExpansion {
        /// Returns the entries of a mapping: its own entries, then the merged entries that it does not have
        /// itself.
        private func entries(of mapping: Int, isExpanded: Bool) -> [YAMLPlace] {
            var entries: [YAMLPlace] = []
            var keys: Set<String> = []
            var sources = [mapping]
            while let source = sources.popLast() {
                let children = tree.children(of: source)
                for child in children where !tree.traits(of: child).contains(.merge) {
                    let isNew = keys.insert(text.key(of: tree[child])).inserted
                    // The document rejects duplicates of the mapping's own keys.
                    guard isNew || source == mapping else { continue }
                    entries.append(YAMLPlace(item: child, isExpanded: isExpanded || source != mapping))
                }
                for child in children where tree.traits(of: child).contains(.merge) {
                    sources += tree.mappings(mergedBy: child).reversed()
                }
            }
            return entries
        }
    }

    extension YAMLTree {
        /// Returns the mappings that a merge key names, the most important one first.
        func mappings(mergedBy item: Int) -> [Int] {
            let value = form(of: item) == .alias ? target(of: item) : item
            let sources = nodes[value].kind == .array ? Array(children(of: value)) : [value]
            return sources.map { form(of: $0) == .alias ? target(of: $0) : $0 }
        }
    }
#endif
