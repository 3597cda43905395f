#if YAML
    /// Reads YAML 1.2, strictly: the core schema, one document, no tags, no null, each key once.
    ///
    /// A file without content, or with nothing but comments, is an empty dictionary.
    struct YAMLScanner {
        private let text: DocumentText
        private let limits: PrefsLimits
        private var tree: YAMLTree
        private var anchors: [String: Anchor] = [:]
        /// The collections that have not ended, the innermost last.
        private var open: [OpenCollection] = []
        /// The memory that the targets of further aliases may take in the document.
        private var allowance: Int
        /// The key of the next value.
        private var key: Key?

        private struct Key {
            var node: DocumentNode
            var range: Range<Int>
            var isMerge: Bool
        }

        private struct Anchor {
            var index: Int
            /// The memory that one alias of the value takes.
            var size: Int
        }

        private struct OpenCollection {
            var index: Int
            /// The end of the last value in it.
            var end: Int
            var size: Int
            var anchor: String?
        }

        /// - Parameter wantsPlaces: True to record the places that an edit needs.
        init(_ text: DocumentText, limits: PrefsLimits, wantsPlaces: Bool = false) {
            self.text = text
            self.limits = limits
            allowance = PrefsLimits.valuesSize(of: text.bytes.count)
            let count = limits.expectedValues(in: text.bytes.count)
            tree = YAMLTree(reserving: count, wantsPlaces: wantsPlaces)
        }

        mutating func scan() throws(ScanFailure) -> DocumentBuilder {
            try scanEvents()
            guard !tree.needsExpansion else {
                var expansion = YAMLExpansion(tree, text, limits: limits)
                return try expansion.build()
            }
            let decoded = DecodedText(bytes: tree.decoded, keys: tree.decodedKeys)
            let text = DocumentText(bytes: text.bytes, format: text.format, decoded: decoded)
            // Duplicate keys are errors in YAML.
            var builder = DocumentBuilder(text, limits: limits, isStrict: true)
            if tree.isEmpty {
                try builder.openContainer(.dictionary, at: 0)
                try builder.closeContainer(at: text.bytes.count)
            } else {
                try tree.give(to: &builder)
            }
            return builder
        }

        /// Reads the file, and returns its values as they are written, together with the places of the
        /// document's nodes. The places are `nil` if the nodes are the values as written.
        mutating func scanTree() throws(ScanFailure) -> (tree: YAMLTree, places: [YAMLPlace]?) {
            try scanEvents()
            guard tree.needsExpansion else { return (tree, nil) }
            var expansion = YAMLExpansion(tree, text, limits: limits, wantsPlaces: true)
            _ = try expansion.build()
            return (tree, expansion.places)
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
                case .end: try end(event)
                case .mapping, .sequence, .alias, .scalar:
                    if isAtKey { try readKey(event) } else { try readValue(event) }
                }
            }
        }

        /// True if the next event is the key of a mapping.
        private var isAtKey: Bool {
            key == nil && open.last.map { tree[$0.index].kind == .dictionary } ?? false
        }

        private mutating func end(_ event: YAMLEvent) throws(ScanFailure) {
            guard let collection = open.popLast() else { return }
            let index = collection.index
            tree.close(index, at: tree.form(of: index) == .flow ? event.range.upperBound : collection.end)
            if tree.traits(of: index).contains(.merging) { try checkMerges(of: index) }
            // A value inside the collection may have taken the anchor's name.
            if let anchor = collection.anchor, anchors[anchor]?.index == index {
                anchors[anchor]?.size = collection.size
            }
            note(index, size: collection.size)
        }

        /// Adds a complete value to the collection around it.
        private mutating func note(_ index: Int, size: Int) {
            guard !open.isEmpty else { return }
            open[open.count - 1].end = Int(tree[index].end)
            open[open.count - 1].size += size
        }

        private func checkMerges(of mapping: Int) throws(ScanFailure) {
            for child in tree.children(of: mapping) where tree.traits(of: child).contains(.merge) {
                guard tree.mappings(mergedBy: child).allSatisfy({ tree[$0].kind == .dictionary }) else {
                    throw ScanFailure(
                        Int(tree[child].start),
                        "the merge key “<<” needs the alias of a mapping, or a list of them in brackets; a key of"
                            + " this name needs quotes")
                }
            }
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
            let run = try readText(of: event, at: start)
            node.setKey(run)
            if run.isEncoded {
                tree.decodedKeys.append(DecodedText.Key(decoded: run.range.lowerBound, source: start))
            }
            let isMerge = event.form == .plain && text.bytes[event.range].elementsEqual("<<".utf8)
            key = Key(node: node, range: event.range, isMerge: isMerge)
            guard isMerge, let mapping = open.last?.index else { return }
            guard !tree.traits(of: mapping).contains(.merging) else {
                throw ScanFailure(start, "duplicate key “<<”; list the mappings to merge in brackets")
            }
            tree.note(.merging, of: mapping)
        }

        /// Returns the place of a scalar's text. If the file spells the text in another way, the tree keeps the
        /// text.
        ///
        /// - Parameter place: The start of the entry, for errors.
        private mutating func readText(of event: YAMLEvent, at place: Int) throws(ScanFailure) -> TextRun {
            switch event.content {
            case .source(let range):
                try CombiningMarks.check(text.bytes, range, at: place)
                return TextRun(range: range, isASCII: text.bytes.span.extracting(range).isASCII)
            case .decoded(let bytes):
                try CombiningMarks.check(bytes, 0..<bytes.count, at: place)
                tree.decoded += bytes
                let end = tree.decoded.count
                return TextRun(range: end - bytes.count..<end, isEncoded: true, isASCII: false)
            }
        }

        private mutating func readValue(_ event: YAMLEvent) throws(ScanFailure) {
            let start = event.range.lowerBound
            let key = exchange(&key, with: nil)
            var node = key?.node ?? DocumentNode(start: 0, end: 0, kind: .dictionary)
            (node.start, node.end) = (UInt32(start), UInt32(event.range.upperBound))
            var mark = YAMLTree.Mark(form: event.form, traits: key?.isMerge == true ? .merge : [])
            // The memory that the entry takes in the document.
            var size = Int(node.keyLength) + MemoryLayout<DocumentNode>.stride + KeyTable.largestEntry
            switch event.kind {
            case .alias: size += try resolve(event, &node)
            case .mapping, .sequence:
                guard open.count < limits.depth else {
                    throw ScanFailure(start, "nested deeper than \(limits.depth) levels", code: .tooLarge)
                }
                node.kind = event.kind == .mapping ? .dictionary : .array
                // The target of an alias in a flow collection is outside the collection's range.
                node.flags.insert(.separate)
                mark.traits.insert(.open)
            default:
                try resolveScalar(event, &node, in: key?.range.lowerBound ?? start)
                if event.form.isBlockScalar { node.flags.insert(.separate) }
                if node.kind == .string { size += node.content.count }
            }
            guard tree.count < limits.values else {
                throw ScanFailure(start, "more than \(limits.values) values", code: .tooLarge)
            }
            // An empty document is an empty dictionary.
            guard !(tree.isEmpty && node.kind == .dictionary && event.kind == .scalar) else { return }
            let anchor = event.kind == .alias ? nil : event.anchor
            if anchor != nil { mark.traits.insert(.anchored) }
            let place = YAMLTree.Place(
                entryStart: UInt32(key?.range.lowerBound ?? start),
                keyEnd: UInt32(key?.range.upperBound ?? 0),
                parent: Int32(open.last?.index ?? 0))
            let index = tree.add(node, mark, place)
            guard !mark.traits.contains(.open) else {
                let collection = OpenCollection(
                    index: index, end: event.range.upperBound, size: size, anchor: anchor)
                // While the value is incomplete, its alias is an error, and must not refer to an earlier value
                // of this name.
                if let anchor { anchors[anchor] = Anchor(index: index, size: 0) }
                return open.append(collection)
            }
            if let anchor { anchors[anchor] = Anchor(index: index, size: size) }
            note(index, size: size)
        }

        /// Makes a node an alias, and returns the size of the alias's target.
        private mutating func resolve(_ event: YAMLEvent, _ node: inout DocumentNode) throws(ScanFailure)
            -> Int
        {
            let start = event.range.lowerBound
            guard let anchor = event.anchor.flatMap({ anchors[$0] }) else {
                throw ScanFailure(start, "unknown alias: no anchor of this name precedes it")
            }
            guard !tree.traits(of: anchor.index).contains(.open) else {
                throw ScanFailure(start, "the alias stands for a value that contains it")
            }
            allowance -= anchor.size
            guard allowance >= 0 else {
                throw ScanFailure(
                    start,
                    "aliases expand the file to more than \(PrefsLimits.valuesSize(of: text.bytes.count)) bytes",
                    code: .tooLarge)
            }
            node.kind = tree[anchor.index].kind
            node.table = anchor.index
            tree.noteAlias(of: anchor.index, at: start)
            return anchor.size
        }

        /// - Parameter entry: The start of the entry, for errors about its text.
        private mutating func resolveScalar(
            _ event: YAMLEvent, _ node: inout DocumentNode, in entry: Int
        ) throws(ScanFailure) {
            node.kind = .string
            if case .source(let range) = event.content, event.form == .plain {
                try resolvePlain(event, range, &node)
            }
            if node.kind == .string { node.setContent(try readText(of: event, at: entry)) }
        }

        private func resolvePlain(
            _ event: YAMLEvent, _ range: Range<Int>, _ node: inout DocumentNode
        ) throws(ScanFailure) {
            let start = event.range.lowerBound
            switch try YAMLScalar(text.bytes[range], at: start) {
            case .null:
                // The whole document is empty.
                guard !tree.isEmpty || !range.isEmpty || event.anchor != nil else {
                    node.kind = .dictionary
                    return
                }
                if range.isEmpty, event.anchor == nil, isSection(behind: start) {
                    (node.kind, node.flags) = (.dictionary, node.flags.union(.separate))
                    return
                }
                throw ScanFailure(start, "null is not supported; remove the key, or write {} or \"\"")
            case .bool(let value): (node.kind, node.payload) = (.bool, value ? 1 : 0)
            case .integer(let integer): (node.kind, node.integer) = (.integer, integer)
            case .real(let value): (node.kind, node.payload) = (.real, value.bitPattern)
            case .string: break
            }
        }

        /// Returns true if only comments follow the colon at the end of a key's line. Such a key is a section
        /// whose keys are all commented out.
        private func isSection(behind offset: Int) -> Bool {
            guard let mapping = open.last, tree.form(of: mapping.index) == .block,
                tree[mapping.index].kind == .dictionary
            else { return false }
            let layout = TextLayout(bytes: text.bytes)
            let line = layout.endOfLine(at: offset)
            let next = text.bytes[line..<layout.endOfLine(at: line)].first { !$0.isBlank }
            let column = layout.lineIndentation(at: offset).utf8.count
            return next == UInt8(ascii: "#")
                || layout.endOfComments(after: line, indentedMoreThan: column) > line
        }
    }
#endif
