import FoundationEssentials

/// A value inside a document. A node is cheap to copy, and keeps its document alive.
public struct PrefsNode: Sendable {
    package let document: PrefsDocument
    let index: Int

    var raw: DocumentNode { document.nodes[index] }

    /// The kind of the value.
    public var kind: PrefsValue.Kind { raw.kind }

    /// The number of elements in an array or entries in a dictionary; 0 for scalars.
    public var count: Int { raw.isContainer ? raw.count : 0 }

    /// The position of the key in the file, or of the value if it has no key. In a binary file it is a byte offset.
    public var position: PrefsPosition? {
        document.position(of: start)
    }

    /// The offset of the key in the text, including its markup, or of the value if it has no key.
    package var start: Int {
        let raw = raw
        guard document.format != .binaryPropertyList, raw.keyStart > 0 || raw.keyLength > 0 else {
            return Int(raw.start)
        }
        return document.text.entryStart(of: raw)
    }

    /// The offset of the first byte after the value.
    package var end: Int { Int(raw.end) }

    /// Returns the child of a dictionary under a literal key; the last child if there are duplicates.
    ///
    /// Two keys are the same if they are equal as `String`s. So `é` as one character and `é` as two are duplicates,
    /// because a Swift dictionary cannot hold both.
    public subscript(key: String) -> PrefsNode? {
        let raw = raw
        guard raw.kind == .dictionary else { return nil }
        let nodes = document.nodes
        let text = document.text
        let child =
            raw.table == 0
            ? DocumentChildren(of: index, in: nodes).first { text.key(of: nodes[$0], is: key) }
            : document.keys.find(hash: KeyHash.of(key), in: raw.table) { text.key(of: nodes[$0], is: key) }
        return child.map { PrefsNode(document: document, index: $0) }
    }
}

extension PrefsNode {
    /// The entries of a dictionary in file order, each key once; the last entry of duplicates. Empty for other kinds.
    public var entries: Entries { Entries(of: self) }

    /// The elements of an array. Empty for other kinds.
    public var elements: Elements { Elements(of: self) }

    /// The entries of a dictionary.
    public struct Entries: Sequence, IteratorProtocol {
        private let document: PrefsDocument
        private var children: DocumentChildren

        fileprivate init(of node: PrefsNode) {
            document = node.document
            children = DocumentChildren(of: node.index, in: document.nodes, kind: .dictionary)
        }

        /// Advances to the next entry and returns it.
        public mutating func next() -> (key: String, value: PrefsNode)? {
            guard let child = children.next() else { return nil }
            return (document.text.key(of: document.nodes[child]), PrefsNode(document: document, index: child))
        }
    }

    /// The elements of an array.
    public struct Elements: Sequence, IteratorProtocol {
        private let document: PrefsDocument
        private var children: DocumentChildren

        fileprivate init(of node: PrefsNode) {
            document = node.document
            children = DocumentChildren(of: node.index, in: document.nodes, kind: .array)
        }

        /// Advances to the next element and returns it.
        public mutating func next() -> PrefsNode? {
            children.next().map { PrefsNode(document: document, index: $0) }
        }
    }
}

extension PrefsNode {
    /// True if a dictionary has a key that contains a dot. Decodes only keys that the file encodes.
    package var hasDottedKey: Bool {
        let (nodes, text) = (document.nodes, document.text)
        return DocumentChildren(of: index, in: nodes, kind: .dictionary).contains { child in
            text.hasDot(inKeyOf: nodes[child])
        }
    }
}

extension PrefsNode {
    /// The decoded value, including everything in it.
    public var value: PrefsValue {
        let raw = raw
        switch raw.kind {
        case .string: return .string(document.text.string(of: raw))
        case .bool: return .bool(raw.payload != 0)
        case .integer: return .integer(raw.integer.value)
        case .real: return .real(Double(bitPattern: raw.payload))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: raw.payload)))
        case .data: return .data(Data(document.text.data(of: raw)))
        case .array: return .array(decodedElements)
        case .dictionary: return .dictionary(decodedEntries)
        }
    }

    private var decodedElements: [PrefsValue] {
        var result: [PrefsValue] = []
        result.reserveCapacity(count)
        for element in elements { result.append(element.value) }
        return result
    }

    private var decodedEntries: [String: PrefsValue] {
        var result: [String: PrefsValue] = [:]
        result.reserveCapacity(count)
        for (key, node) in entries { result[key] = node.value }
        return result
    }
}

extension PrefsNode {
    /// Returns the text at a key; `nil` if this is not a dictionary, or has no text there.
    package func text(_ key: String) -> String? {
        if kind == .dictionary, case .string(let text) = self[key]?.value { text } else { nil }
    }

    /// Returns the Boolean value at a key; `nil` if this is not a dictionary, or has no Boolean value there.
    package func flag(_ key: String) -> Bool? {
        if kind == .dictionary, case .bool(let flag) = self[key]?.value { flag } else { nil }
    }
}
