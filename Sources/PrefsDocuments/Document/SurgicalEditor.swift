/// Edits a text document in place: finds what each edit touches, and collects the replacements.
///
/// Each format defines how an entry is replaced, removed and added.
protocol SurgicalEditor {
    var document: PrefsDocument { get }
    /// The replacements so far.
    var patch: TextPatch { get set }

    init(_ document: PrefsDocument) throws(ScanFailure)

    /// Returns true if a dictionary can be changed entry by entry; false if it has to be replaced.
    ///
    /// - Parameter content: The new content; `nil` if only some entries change.
    func canEdit(inside node: Int, becoming content: [String: PrefsValue]?) -> Bool
    /// Returns false if an entry cannot stay where it is when its value is replaced: it is removed and added.
    func canReplace(_ node: Int) -> Bool
    /// Replaces the value of an entry.
    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError)
    /// Removes and adds entries of one dictionary.
    mutating func change(
        _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError)
    /// Adds the replacements that depend on all edits.
    mutating func finish()
}

extension SurgicalEditor {
    /// Returns the file after some edits.
    static func bytes(of document: PrefsDocument, after edits: EditTree) throws(PrefsError) -> [UInt8] {
        var editor: Self
        do { editor = try Self(document) } catch let failure {
            throw failure.error(in: document.text, path: nil)
        }
        try editor.apply(edits)
        editor.finish()
        return document.encoding.encode(editor.patch.applied(to: document.text.bytes))
    }

    var layout: TextLayout { TextLayout(bytes: document.text.bytes) }

    mutating func finish() {}

    /// Inserts whole lines, behind a line end if the file does not end with one.
    ///
    /// - Parameter isFirst: The lines precede others that are inserted at the same place.
    mutating func insertLines(_ text: [UInt8], at offset: Int, newline: String, isFirst: Bool = false) {
        let bytes = document.text.bytes
        let isAtLineStart =
            offset <= TextEncoding.start(of: bytes) || bytes[offset - 1] == UInt8(ascii: "\n")
        patch.insert((isAtLineStart ? [] : Array(newline.utf8)) + text, at: offset, isFirst: isFirst)
    }

    func canEdit(inside node: Int, becoming content: [String: PrefsValue]?) -> Bool { true }

    func canReplace(_ node: Int) -> Bool { true }

    /// Applies edits to one dictionary of the document and to those in it.
    ///
    /// - Parameter respelling: True if keys get the bytes that the edits have. Otherwise an edit of `é` in one character
    ///   changes the value of an `é` in two.
    mutating func apply(
        _ edits: EditTree, to parent: Int = 0, respelling: Bool = false
    ) throws(PrefsError) {
        let dictionary = PrefsNode(document: document, index: parent)
        let shadowed = shadowedEntries(of: parent)
        var removed: [Int] = []
        var moved: [(key: String, value: PrefsValue)] = []
        var added: [(key: String, value: PrefsValue)] = []
        for edit in edits.entries {
            let (key, change) = (edit.key, edit.edit)
            guard let entry = dictionary[key]?.index else {
                if let value = change.created { added.append((key, value)) }
                continue
            }
            if case .remove = change {
                removed += (shadowed[key] ?? []) + [entry]
                continue
            }
            if respelling, let value = change.created,
                !document.text.key(of: document.nodes[entry]).hasSameBytes(as: key)
            {
                removed += (shadowed[key] ?? []) + [entry]
                moved.append((key, value))
                continue
            }
            do {
                guard let value = try apply(change, to: entry) else { continue }
                if canReplace(entry) {
                    try replace(entry, of: parent, with: value)
                } else {
                    removed.append(entry)
                    moved.append((key, value))
                }
            } catch let error { throw error.below(key) }
        }
        added = moved + added
        guard !removed.isEmpty || !added.isEmpty else { return }
        try change(parent, removing: removed.sorted(), adding: added)
    }

    /// Changes an entry's value entry by entry; returns the value that replaces it if that is impossible.
    private mutating func apply(_ change: EditTree.Change, to entry: Int) throws(PrefsError) -> PrefsValue? {
        let node = PrefsNode(document: document, index: entry)
        switch change {
        case .remove: return nil
        case .set(.dictionary(let content))
        where node.kind == .dictionary && canEdit(inside: entry, becoming: content):
            try apply(.difference(from: node, to: content), to: entry, respelling: true)
            return nil
        case .set(let value):
            return node.value == value ? nil : value
        case .change(let edits) where node.kind != .dictionary:
            // Below a value that is not a dictionary there is nothing to remove.
            if edits.created != nil { throw PrefsError.notADictionary(node.kind) }
            return nil
        case .change(let edits) where canEdit(inside: entry, becoming: nil):
            try apply(edits, to: entry)
            return nil
        case .change(let edits):
            var content = node.value.dictionary ?? [:]
            try edits.apply(to: &content)
            return node.value == .dictionary(content) ? nil : .dictionary(content)
        }
    }

    /// Returns the entries that later duplicates shadow, by key. A removal removes them as well, because an
    /// earlier one would become effective otherwise.
    private func shadowedEntries(of parent: Int) -> [String: [Int]] {
        guard !document.warnings.isEmpty else { return [:] }
        let shadowed = physicalChildren(of: parent).filter { document.nodes[$0].flags.contains(.shadowed) }
        return Dictionary(grouping: shadowed) { document.text.key(of: document.nodes[$0]) }
    }

    /// Returns all entries of the file, including shadowed ones.
    func physicalChildren(of parent: Int) -> [Int] {
        let nodes = document.nodes
        return sequence(first: parent + 1) { Int(nodes[$0].next) }.prefix { $0 < nodes[parent].next }
    }
}

extension EditTree.Change {
    /// The value that this change creates for a missing key; `nil` if it creates none.
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
