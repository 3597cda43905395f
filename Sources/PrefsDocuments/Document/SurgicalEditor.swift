/// Edits a text document in place: finds what each edit touches, and collects the replacements.
///
/// Each format defines how an entry is replaced, removed and added.
protocol SurgicalEditor {
    var document: PrefsDocument { get }
    /// The replacements so far.
    var patch: TextPatch { get set }
    /// Whether arrays may be changed element by element, and whether one has been.
    var elementEdits: ElementEdits { get set }

    init(_ document: PrefsDocument) throws(ScanFailure)

    /// Returns true if a dictionary can be changed entry by entry; false if it has to be replaced.
    ///
    /// - Parameter content: The new content; `nil` if only some entries change.
    func canEdit(inside node: Int, becoming content: [String: PrefsValue]?) -> Bool
    /// Returns false if an entry cannot keep its place when its value is replaced. It is then removed and added.
    func canReplace(_ node: Int) -> Bool
    /// Replaces the value of an entry.
    mutating func replace(_ node: Int, of parent: Int, with value: PrefsValue) throws(PrefsError)
    /// Removes and adds entries of one dictionary.
    mutating func change(
        _ parent: Int, removing: [Int], adding: [(key: String, value: PrefsValue)]
    ) throws(PrefsError)
    /// Changes, removes and adds elements of an array. Returns false, or throws, if the whole array has to be
    /// replaced.
    mutating func changeElements(of array: Int, _ changes: ArrayChanges) throws(PrefsError) -> Bool
    /// Replaces an element of an array.
    mutating func replaceElement(_ node: Int, of array: Int, with value: PrefsValue) throws(PrefsError)
    /// Adds the replacements that depend on all edits.
    mutating func finish()
}

/// Whether an edit changes arrays element by element, so that the other elements stay as they are written.
struct ElementEdits {
    var areAllowed = true
    /// True if there are such changes.
    var areMade = false
}

extension SurgicalEditor {
    /// Returns the file after some edits.
    ///
    /// There may be anything between the elements of an array, such as comments. So if the edit changes
    /// elements, the result is parsed again. If it is not the expected result, the edit replaces these arrays as
    /// a whole.
    static func bytes(of document: PrefsDocument, after edits: EditTree) throws(PrefsError) -> [UInt8] {
        if let (bytes, hasElements) = try? bytes(of: document, after: edits, ElementEdits()) {
            if !hasElements { return bytes }
            let result = try? PrefsDocument(parsing: bytes, as: document.format, limits: document.limits)
            if result?.isResult(of: edits, in: document) == true { return bytes }
        }
        return try bytes(of: document, after: edits, ElementEdits(areAllowed: false)).bytes
    }

    private static func bytes(
        of document: PrefsDocument, after edits: EditTree, _ elementEdits: ElementEdits
    ) throws(PrefsError) -> (bytes: [UInt8], hasElements: Bool) {
        var editor: Self
        do { editor = try Self(document) } catch let failure {
            throw failure.error(in: document.text, path: nil)
        }
        editor.elementEdits = elementEdits
        try editor.apply(edits)
        editor.finish()
        let bytes = document.encoding.encode(editor.patch.applied(to: document.text.bytes))
        return (bytes, editor.elementEdits.areMade)
    }

    var layout: TextLayout { TextLayout(bytes: document.text.bytes) }

    mutating func finish() {}

    /// Inserts whole lines, after a line break if the offset is not at the start of a line.
    ///
    /// - Parameter isFirst: True if the lines precede other lines that are inserted at the same place.
    mutating func insertLines(_ text: [UInt8], at offset: Int, newline: String, isFirst: Bool = false) {
        let bytes = document.text.bytes
        let isAtLineStart =
            offset <= TextEncoding.start(of: bytes) || bytes[offset - 1] == UInt8(ascii: "\n")
        patch.insert((isAtLineStart ? [] : Array(newline.utf8)) + text, at: offset, isFirst: isFirst)
    }

    func canEdit(inside node: Int, becoming content: [String: PrefsValue]?) -> Bool { true }

    func canReplace(_ node: Int) -> Bool { true }

    /// Applies edits to one dictionary of the document and to the dictionaries in it.
    ///
    /// - Parameter respelling: True if a key gets the bytes of its edit. Otherwise, an edit of `é` in one
    ///   character changes the value of an `é` in two.
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

    /// Changes an entry's value in place. If that is impossible, returns the value that has to replace it.
    private mutating func apply(_ change: EditTree.Change, to entry: Int) throws(PrefsError) -> PrefsValue? {
        let node = PrefsNode(document: document, index: entry)
        switch change {
        case .remove: return nil
        case .set(.dictionary(let content))
        where node.kind == .dictionary && canEdit(inside: entry, becoming: content):
            try apply(.difference(from: node, to: content), to: entry, respelling: true)
            return nil
        case .set(let value):
            let old = node.value
            return old == value || changeElements(of: entry, from: old, to: value) ? nil : value
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

    /// Changes only the elements of an array that differ. Returns false if that is impossible.
    private mutating func changeElements(
        of array: Int, from old: PrefsValue, to new: PrefsValue
    ) -> Bool {
        guard elementEdits.areAllowed, case .array(let old) = old, case .array(let new) = new,
            let changes = ArrayChanges(from: old, to: new)
        else { return false }
        let before = self
        guard (try? changeElements(of: array, changes)) == true else {
            self = before
            return false
        }
        elementEdits.areMade = true
        return true
    }

    /// Changes an element of an array to another value, entry by entry if both are dictionaries.
    mutating func changeElement(
        _ element: Int, of array: Int, to value: PrefsValue
    ) throws(PrefsError) {
        guard let whole = try apply(.set(value), to: element) else { return }
        try replaceElement(element, of: array, with: whole)
    }

    /// Adds the replacements of a list with commas. Returns false if there are none.
    mutating func apply(_ replacements: [(range: Range<Int>, text: String)]?) -> Bool {
        guard let replacements else { return false }
        for (range, text) in replacements {
            range.isEmpty
                ? patch.insert(Array(text.utf8), at: range.lowerBound)
                : patch.replace(range, with: Array(text.utf8))
        }
        return true
    }

    /// Returns the entries that later duplicates shadow, by key. Removing a key removes them, too: otherwise an
    /// earlier entry would become effective.
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
