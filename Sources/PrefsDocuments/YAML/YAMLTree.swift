#if YAML
    /// The values of a YAML file as the file spells them, in the file's order. Aliases and merge keys are
    /// resolved when the values are added to the document.
    ///
    /// A value takes 34 bytes, or 46 for an edit. A file can hold a value in every two bytes.
    struct YAMLTree {
        /// The values as in the document. The `next` of a value is the index after everything in it.
        private(set) var nodes: [DocumentNode] = []
        private var marks: [Mark] = []
        /// The places that only an edit needs; empty otherwise.
        private var places: [Place] = []
        private let wantsPlaces: Bool
        /// The place of the first alias of each value that has one.
        private(set) var aliases: [Int: Int] = [:]
        /// True if these are not the document's values, because some of those are written elsewhere.
        private(set) var needsExpansion = false
        /// Strings that the file spells in another way.
        var decoded: [UInt8] = []
        var decodedKeys: [DecodedText.Key] = []

        struct Mark {
            var form: YAMLForm
            var traits: Traits = []
        }

        struct Place {
            /// The start of the entry: of its key with the quotation mark, or of an element.
            var entryStart: UInt32
            /// The end of the key with the quotation mark.
            var keyEnd: UInt32 = 0
            /// The collection around the value.
            var parent: Int32
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

        /// - Parameter count: The number of values to reserve space for.
        init(reserving count: Int, wantsPlaces: Bool) {
            self.wantsPlaces = wantsPlaces
            nodes.reserveCapacity(count)
            marks.reserveCapacity(count)
            if wantsPlaces { places.reserveCapacity(count) }
        }

        var isEmpty: Bool { nodes.isEmpty }

        var count: Int { nodes.count }

        subscript(index: Int) -> DocumentNode { nodes[index] }

        func form(of index: Int) -> YAMLForm { marks[index].form }

        func traits(of index: Int) -> Traits { marks[index].traits }

        /// The place of a value, in a tree for an edit.
        func place(of index: Int) -> Place { places[index] }

        mutating func add(_ node: DocumentNode, _ mark: Mark, _ place: Place) -> Int {
            nodes.append(node)
            nodes[nodes.count - 1].next = UInt32(nodes.count)
            marks.append(mark)
            if wantsPlaces { places.append(place) }
            return nodes.count - 1
        }

        /// Ends a collection. It contains everything that was added since it began.
        mutating func close(_ index: Int, at end: Int) {
            nodes[index].end = UInt32(end)
            nodes[index].next = UInt32(nodes.count)
            marks[index].traits.remove(.open)
        }

        mutating func note(_ trait: Traits, of index: Int) {
            marks[index].traits.insert(trait)
            if trait == .merging { needsExpansion = true }
        }

        mutating func noteAlias(of target: Int, at place: Int) {
            needsExpansion = true
            if aliases[target] == nil { aliases[target] = place }
        }

        /// Hands the values over to the document, without a copy of them.
        mutating func give(to builder: inout DocumentBuilder) throws(ScanFailure) {
            try builder.adopt(&nodes)
        }
    }

    extension YAMLTree {
        /// Returns the target of an alias.
        func target(of alias: Int) -> Int { nodes[alias].table }

        /// Returns true for a mapping that has a key in the file, and nothing else.
        func isSectionWithoutKeys(_ index: Int) -> Bool {
            nodes[index].kind == .dictionary && marks[index].form == .plain
        }

        func isEmptyCollection(_ index: Int) -> Bool { nodes[index].next == index + 1 }

        /// Returns the indices of the values in a collection.
        func children(of index: Int) -> DocumentChildren { DocumentChildren(of: index, in: nodes) }

        func childCount(of index: Int) -> Int { children(of: index).reduce(0) { count, _ in count + 1 } }

        /// Returns the last value in an item, or the item itself if it is not a collection by indentation.
        func lastValue(in item: Int) -> Int {
            var item = item
            while form(of: item) == .block, let last = children(of: item).reduce(nil, { $1 }) { item = last }
            return item
        }

        /// Returns the end of the last value in an item.
        func end(of item: Int) -> Int { Int(nodes[item].end) }
    }
#endif
