import FoundationEssentials

/// A value inside a document: a cursor that is cheap to copy and keeps its document alive.
package struct PrefsNode: Sendable {
    package let document: PrefsDocument
    package let index: Int

    var raw: DocumentNode { document.nodes[index] }

    package var kind: PrefsValue.Kind { raw.kind }

    /// The number of elements of an array or entries of a dictionary; 0 for scalars.
    package var count: Int { raw.isContainer ? raw.count : 0 }

    /// The position of the key in the file, or of the value if it has no key; a byte offset in a binary file.
    package var position: PrefsPosition? {
        let raw = raw
        guard document.format != .binaryPropertyList, raw.keyStart > 0 else {
            return document.position(of: Int(raw.start))
        }
        return document.position(of: document.text.entryStart(of: raw))
    }

    /// Returns a dictionary's child under this literal key; of duplicates, the last.
    package subscript(key: String) -> PrefsNode? {
        let raw = raw
        guard raw.kind == .dictionary else { return nil }
        let nodes = document.nodes
        let text = document.text
        guard raw.table == 0 else {
            let hash = KeyHash.of(key)
            return document.keys.find(hash: hash, in: raw.table) { text.key(of: nodes[$0], is: key) }
                .map { PrefsNode(document: document, index: $0) }
        }
        for child in DocumentChildren(of: index, in: nodes) where text.key(of: nodes[child], is: key) {
            return PrefsNode(document: document, index: child)
        }
        return nil
    }

    /// Visits a dictionary's entries in file order, each key once.
    package func forEachEntry(_ body: (_ key: String, _ value: PrefsNode) -> Void) {
        guard kind == .dictionary else { return }
        for child in DocumentChildren(of: index, in: document.nodes) {
            body(document.text.key(of: document.nodes[child]), PrefsNode(document: document, index: child))
        }
    }

    /// Visits an array's elements.
    package func forEachElement(_ body: (PrefsNode) -> Void) {
        guard kind == .array else { return }
        for child in DocumentChildren(of: index, in: document.nodes) {
            body(PrefsNode(document: document, index: child))
        }
    }
}

extension PrefsNode {
    /// The value, decoded together with everything in it.
    package var value: PrefsValue {
        let raw = raw
        switch raw.kind {
        case .string: return .string(document.text.string(of: raw))
        case .bool: return .bool(raw.payload != 0)
        case .integer: return .integer(raw.integer.value)
        case .real: return .real(Double(bitPattern: raw.payload))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: raw.payload)))
        case .data: return .data(Data(document.text.data(of: raw)))
        case .array: return .array(elements)
        case .dictionary: return .dictionary(entries)
        }
    }

    private var elements: [PrefsValue] {
        var result: [PrefsValue] = []
        result.reserveCapacity(count)
        forEachElement { result.append($0.value) }
        return result
    }

    private var entries: [String: PrefsValue] {
        var result: [String: PrefsValue] = [:]
        result.reserveCapacity(count)
        forEachEntry { result[$0] = $1.value }
        return result
    }
}

/// The indices of a container's children, without those that a later duplicate shadows.
struct DocumentChildren: Sequence, IteratorProtocol {
    private let nodes: [DocumentNode]
    private var child: Int
    private let end: Int

    init(of index: Int, in nodes: [DocumentNode]) {
        self.nodes = nodes
        child = index + 1
        end = nodes[index].isContainer ? Int(nodes[index].next) : child
    }

    /// Continues with the entry after a child.
    mutating func resume(behind child: Int) { self.child = Int(nodes[child].next) }

    mutating func next() -> Int? {
        while child < end {
            let current = child
            child = Int(nodes[child].next)
            if !nodes[current].flags.contains(.shadowed) { return current }
        }
        return nil
    }
}
