/// Edits a text document in place: finds what each edit touches, and collects the replacements.
///
/// Each format defines how an entry is replaced, removed and added.
protocol SurgicalEditor {
    var document: PrefsDocument { get }

    /// Replaces the value of an entry.
    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError)
    /// Removes and adds entries of one dictionary.
    mutating func change(
        _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError)
}

extension SurgicalEditor {
    mutating func apply(_ edits: EditTree, to parent: Int = 0) throws(PrefsError) {
        var removed: [Int] = []
        var added: [(key: String, value: PrefsValue)] = []
        for (key, edit) in edits.entries {
            do throws(PrefsError) {
                if let child = PrefsNode(document: document, index: parent)[key] {
                    if case .remove = edit { removed += entries(for: key, in: parent, last: child.index) }
                    try apply(edit, toExisting: child.index, of: parent)
                } else if let value = edit.created {
                    added.append((key, value))
                }
            } catch let error {
                throw error.below(key)
            }
        }
        guard !removed.isEmpty || !added.isEmpty else { return }
        try change(parent, removing: removed.sorted(), adding: added)
    }

    private mutating func apply(
        _ edit: EditTree.Change, toExisting child: Int, of parent: Int
    ) throws(PrefsError) {
        let node = PrefsNode(document: document, index: child)
        switch edit {
        case .remove: break
        case .set(.dictionary(let content)) where node.kind == .dictionary:
            try apply(.difference(from: node, to: content), to: child)
        case .set(let value):
            if node.value != value { try replace(child, of: parent, with: value) }
        case .change(let edits):
            if node.kind == .dictionary { return try apply(edits, to: child) }
            // Below a value that is not a dictionary there is nothing to remove.
            if edits.created != nil { throw PrefsError.notADictionary(node.kind) }
        }
    }

    /// Returns every entry with the key: if only the last duplicate were removed, an earlier one would become
    /// effective.
    private func entries(for key: String, in parent: Int, last: Int) -> [Int] {
        guard !document.warnings.isEmpty else { return [last] }
        return physicalChildren(of: parent).filter { document.text.key(of: document.nodes[$0], is: key) }
    }

    /// Returns all entries of the file, including shadowed ones.
    func physicalChildren(of parent: Int) -> [Int] {
        var children: [Int] = []
        var child = parent + 1
        while child < document.nodes[parent].next {
            children.append(child)
            child = Int(document.nodes[child].next)
        }
        return children
    }
}

extension EditTree.Change {
    /// The value that this edit creates for a missing key; `nil` if it creates none.
    var created: PrefsValue? {
        switch self {
        case .set(let value): value
        case .remove: nil
        case .change(let edits): edits.created.map(PrefsValue.dictionary)
        }
    }
}

extension EditTree {
    /// Returns the edits that turn a dictionary into another one while leaving common entries as they are
    /// written.
    static func difference(
        from node: PrefsNode, to content: [String: PrefsValue]
    ) throws(PrefsError) -> EditTree {
        var edits: [PrefsDocument.Edit] = []
        for (key, _) in node.entries where content[key] == nil { edits.append(.remove([key])) }
        edits += content.sortedByKey.map { .set([$0.key], to: $0.value) }
        return try EditTree(edits)
    }
}
