/// Compares two documents: which of their values are equal, and where they differ.
///
/// It traverses dictionaries in parallel. An edit leaves most entries in their order, and these cost only a
/// comparison of their bytes. Only an entry at another position is looked up.
struct DocumentComparison {
    private let old: PrefsDocument
    private let new: PrefsDocument
    /// True if equal bytes imply equal content; false for binary files, whose containers hold references.
    private let bytesReveal: Bool

    init(_ old: PrefsDocument, _ new: PrefsDocument) {
        self.old = old
        self.new = new
        bytesReveal = old.format == new.format && old.format != .binaryPropertyList
    }

    /// Visits the highest paths where two values differ.
    ///
    /// - Parameter path: The path of both values; `nil` for the root, whose dotted keys are paths of their
    ///   own.
    func forEachDifference(_ lhs: Int, _ rhs: Int, at path: PrefsPath?, _ body: (PrefsPath) -> Void) {
        func place(_ key: String) -> PrefsPath { path?.appending(key) ?? PrefsPath.topLevel(key) }
        let areDictionaries = old.nodes[lhs].kind == .dictionary && new.nodes[rhs].kind == .dictionary
        guard areDictionaries else {
            if let path, !areEqual(lhs, rhs) { body(path) }
            return
        }
        forEachPair(lhs, rhs) { before, after in
            switch (before, after) {
            case (let before?, let after?):
                guard haveSameSpelling(before, after) else {
                    body(place(new.text.key(of: new.nodes[after])))
                    return true
                }
                if haveSameBytes(before, after) { return true }
                let key = new.text.key(of: new.nodes[after])
                forEachDifference(before, after, at: place(key), body)
            case (nil, let after?): body(place(new.text.key(of: new.nodes[after])))
            case (let before?, nil): body(place(old.text.key(of: old.nodes[before])))
            case (nil, nil): break
            }
            return true
        }
    }

    /// Visits the highest paths where a value differs between two revisions that differ in scalars only.
    ///
    /// - Parameters:
    ///   - index: The index of the value in both revisions.
    ///   - changes: The indices of the scalars in it that may differ, ascending.
    func forEachDifference(
        in index: Int, around changes: ArraySlice<Int>, at path: PrefsPath?, _ body: (PrefsPath) -> Void
    ) {
        if changes.isEmpty { return }
        guard new.nodes[index].kind == .dictionary else {
            if let path, !areEqual(index, index) { body(path) }
            return
        }
        var rest = changes
        for child in DocumentChildren(of: index, in: new.nodes) {
            guard let first = rest.first else { return }
            let next = Int(new.nodes[child].next)
            if first >= next { continue }
            let own = rest.prefix { $0 < next }
            rest = rest[own.endIndex...]
            let key = new.text.key(of: new.nodes[child])
            forEachDifference(
                in: child, around: own, at: path?.appending(key) ?? PrefsPath.topLevel(key), body)
        }
    }

    /// Returns true if two values are equal when decoded, whatever their formats and spellings.
    func areEqual(_ lhs: Int, _ rhs: Int) -> Bool {
        let (mine, others) = (old.nodes[lhs], new.nodes[rhs])
        guard mine.kind == others.kind else { return false }
        if haveSameBytes(lhs, rhs) { return true }
        switch mine.kind {
        case .bool, .real, .date: return mine.payload == others.payload
        case .integer: return mine.integer.value == others.integer.value
        case .string: return haveEqualTexts(mine, others)
        case .data: return old.text.data(of: mine) == new.text.data(of: others)
        case .array: return haveEqualElements(lhs, rhs)
        case .dictionary: return haveEqualEntries(lhs, rhs)
        }
    }

    private func haveEqualTexts(_ lhs: DocumentNode, _ rhs: DocumentNode) -> Bool {
        if lhs.flags.union(rhs.flags).isDisjoint(with: .encodedValue) {
            let (bytes, otherBytes) = (old.text.bytes, new.text.bytes)
            let mine = bytes.span.extracting(lhs.content)
            return mine.hasSameBytes(as: otherBytes.span.extracting(rhs.content))
        }
        return old.text.string(of: lhs).hasSameBytes(as: new.text.string(of: rhs))
    }

    private func haveSameBytes(_ lhs: Int, _ rhs: Int) -> Bool {
        let flags = old.nodes[lhs].flags.union(new.nodes[rhs].flags)
        guard bytesReveal, !flags.contains(.separate) else { return false }
        let (mine, others) = (old.text.bytes, new.text.bytes)
        return mine.span.extracting(old.nodes[lhs].range)
            .hasSameBytes(as: others.span.extracting(new.nodes[rhs].range))
    }

    private func haveEqualElements(_ lhs: Int, _ rhs: Int) -> Bool {
        guard old.nodes[lhs].count == new.nodes[rhs].count else { return false }
        return zip(DocumentChildren(of: lhs, in: old.nodes), DocumentChildren(of: rhs, in: new.nodes))
            .allSatisfy(areEqual)
    }

    private func haveEqualEntries(_ lhs: Int, _ rhs: Int) -> Bool {
        guard old.nodes[lhs].count == new.nodes[rhs].count else { return false }
        var areEqualSoFar = true
        forEachPair(lhs, rhs) { before, after in
            areEqualSoFar =
                if let before, let after {
                    haveSameSpelling(before, after) && areEqual(before, after)
                } else { false }
            return areEqualSoFar
        }
        return areEqualSoFar
    }
}

extension DocumentComparison {
    /// Visits the entries of two dictionaries together with their counterparts, until `body` returns false.
    func forEachPair(_ lhs: Int, _ rhs: Int, _ body: (_ old: Int?, _ new: Int?) -> Bool) {
        var inStep = DocumentChildren(of: lhs, in: old.nodes)
        var expected = inStep.next()
        var common = 0
        for child in DocumentChildren(of: rhs, in: new.nodes) {
            let neighbour = expected.flatMap { haveSameKey($0, child) ? $0 : nil }
            let counterpart = neighbour ?? entry(of: lhs, like: child)
            if let counterpart {
                common += 1
                inStep.resume(behind: counterpart)
                expected = inStep.next()
            }
            guard body(counterpart, child) else { return }
        }
        guard common < old.nodes[lhs].count else { return }
        let reversed = DocumentComparison(new, old)
        for child in DocumentChildren(of: lhs, in: old.nodes)
        where reversed.entry(of: rhs, like: child) == nil {
            guard body(child, nil) else { return }
        }
    }

    private func haveSameKey(_ lhs: Int, _ rhs: Int) -> Bool {
        old.text.key(of: old.nodes[lhs], is: new.nodes[rhs], of: new.text)
    }

    /// Returns true if the keys of two entries, which are equal as `String`s, have the same bytes.
    private func haveSameSpelling(_ lhs: Int, _ rhs: Int) -> Bool {
        let (mine, others) = (old.nodes[lhs], new.nodes[rhs])
        guard mine.flags.union(others.flags).contains(.unicodeKey) else { return true }
        return old.text.key(of: mine).hasSameBytes(as: new.text.key(of: others))
    }

    /// Returns the entry of an old dictionary that has the same key as a new entry.
    private func entry(of dictionary: Int, like child: Int) -> Int? {
        let table = old.nodes[dictionary].table
        guard table == 0 else {
            let hash = new.text.hash(ofKeyOf: new.nodes[child])
            return old.keys.find(hash: hash, in: table) { haveSameKey($0, child) }
        }
        return DocumentChildren(of: dictionary, in: old.nodes).first { haveSameKey($0, child) }
    }
}

extension PrefsNode {
    /// Returns true if this value and an older revision of it are known to differ in scalars only, so that they
    /// have the same keys.
    package func hasKnownKeys(of old: PrefsNode) -> Bool {
        old.index == index && document.changes(since: old.document) != nil
    }

    /// Compares two nodes by their decoded values, whatever their formats and spellings.
    public func hasSameContent(as other: PrefsNode) -> Bool {
        DocumentComparison(document, other.document).areEqual(index, other.index)
    }

    /// Visits the highest paths where this value differs from an older revision of it.
    ///
    /// - Parameter path: The path of both values; `nil` for the root, whose dotted keys are paths of their
    ///   own.
    package func forEachDifference(from old: PrefsNode, at path: PrefsPath?, _ body: (PrefsPath) -> Void) {
        if old.document === document, old.index == index { return }
        let comparison = DocumentComparison(old.document, document)
        if old.index == index, let changes = document.changes(since: old.document) {
            let own = changes.drop { $0 < index }.prefix { $0 < raw.next }
            comparison.forEachDifference(in: index, around: own, at: path, body)
        } else {
            comparison.forEachDifference(old.index, index, at: path, body)
        }
    }
}
