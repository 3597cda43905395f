extension PrefsNode {
    /// Whether both decode to equal values, whatever their formats and spellings.
    package func hasSameContent(as other: PrefsNode) -> Bool {
        let lhs = raw
        let rhs = other.raw
        guard lhs.kind == rhs.kind else { return false }
        if hasSameBytes(as: other) { return true }
        switch lhs.kind {
        case .bool, .real, .date: return lhs.payload == rhs.payload
        case .integer: return integer.value == other.integer.value
        case .string: return string == other.string
        case .data: return document.text.data(of: lhs) == other.document.text.data(of: rhs)
        case .array: return hasSameElements(as: other)
        case .dictionary: return hasSameEntries(as: other)
        }
    }

    /// Equal bytes mean equal content where the bytes say everything: not in a binary file, whose containers
    /// hold references.
    private func hasSameBytes(as other: PrefsNode) -> Bool {
        guard document.format == other.document.format, document.format != .binaryPropertyList else {
            return false
        }
        let mine = document.text.bytes
        let theirs = other.document.text.bytes
        return mine.span.extracting(raw.range).hasSameBytes(as: theirs.span.extracting(other.raw.range))
    }

    private func hasSameElements(as other: PrefsNode) -> Bool {
        guard count == other.count else { return false }
        let mine = DocumentChildren(of: index, in: document.nodes)
        let theirs = DocumentChildren(of: other.index, in: other.document.nodes)
        return zip(mine, theirs).allSatisfy { lhs, rhs in
            PrefsNode(document: document, index: lhs)
                .hasSameContent(as: PrefsNode(document: other.document, index: rhs))
        }
    }

    private func hasSameEntries(as other: PrefsNode) -> Bool {
        guard count == other.count else { return false }
        return DocumentChildren(of: index, in: document.nodes).allSatisfy { child in
            guard let theirs = other[document.text.key(of: document.nodes[child])] else { return false }
            return PrefsNode(document: document, index: child).hasSameContent(as: theirs)
        }
    }
}
