import PrefsDocuments

/// A value inside a source: already decoded, or still in the file it came from.
enum PrefsContent: Sendable {
    /// A dictionary in memory; its next version shares unchanged entries with it.
    typealias Table = HashTrie<PrefsValue>

    case value(PrefsValue)
    case node(PrefsNode)
    case table(Table)
    /// A dictionary with a candidate for each key.
    case candidates(HashTrie<SharedCandidate>)
    /// The value of a candidate, or a part of one.
    case candidate(SharedCandidate)
    /// A root whose literal keys are in their places.
    case tree(PathTree)
    /// A dictionary with entries from other places of the source.
    indirect case grafted(Graft)

    static let emptyDictionary = PrefsContent.value(.dictionary([:]))

    var kind: PrefsValue.Kind {
        switch self {
        case .value(let value): value.kind
        case .node(let node): node.kind
        case .candidate(let shared): shared.candidate.value.kind
        case .table, .candidates, .tree, .grafted: .dictionary
        }
    }

    /// The value; a dictionary omits the candidates in it that are rejected.
    var value: PrefsValue {
        switch self {
        case .value(let value): return value
        case .node(let node): return node.value
        case .table(let table): return .dictionary(table.dictionary)
        case .candidate(let shared): return shared.candidate.value
        case .grafted(let graft): return graft.value
        case .candidates, .tree:
            var content: [String: PrefsValue] = [:]
            forEachEntry { if !$1.isRejected { content[$0] = $1.value } }
            return .dictionary(content)
        }
    }

    var position: PrefsPosition? { node?.position }

    /// The value in its file; `nil` for one that is not in a file.
    var node: PrefsNode? {
        switch self {
        case .node(let node): node
        case .grafted(let graft): graft.base.node
        case .value, .table, .candidates, .candidate, .tree: nil
        }
    }

    /// The storage's statement about the value.
    var candidate: PrefsCandidate? {
        switch self {
        case .candidate(let shared): shared.candidate
        case .grafted(let graft): graft.base.candidate
        case .value, .node, .table, .candidates, .tree: nil
        }
    }

    /// True if the storage rejects the value for every type.
    var isRejected: Bool { candidate?.rejection != nil }

    /// The number of entries of a dictionary; that of a tree includes its literal keys.
    var count: Int {
        switch self {
        case .value(.dictionary(let content)): content.count
        case .value: 0
        case .node(let node): node.count
        case .table(let table): table.count
        case .candidates(let table): table.count
        case .candidate(let shared): shared.candidate.value.dictionary?.count ?? 0
        case .tree(let tree): tree.spelled.count
        case .grafted(let graft): graft.count
        }
    }

    /// Returns the entry of a dictionary under a literal key.
    subscript(key: String) -> PrefsContent? {
        switch self {
        case .value(.dictionary(let content)): content[key].map(PrefsContent.value)
        case .value: nil
        case .node(let node): node.kind == .dictionary ? node[key].map(PrefsContent.node) : nil
        case .table(let table): table[key].map(PrefsContent.value)
        case .candidates(let table): table[key].map(PrefsContent.candidate)
        case .candidate(let shared): shared[key].map(PrefsContent.candidate)
        case .tree(let tree): tree[key]
        case .grafted(let graft): graft[key]
        }
    }

    /// Returns the content at a path inside a dictionary.
    subscript(path: ArraySlice<String>) -> PrefsContent? {
        var content: PrefsContent? = self
        for key in path { content = content?[key] }
        return content
    }

    /// Visits a dictionary's entries, in the file's order if there is a file.
    // Not inlined: with three loops at each use, the module takes an eighth longer to compile.
    @inline(never)
    func forEachEntry(_ body: (String, PrefsContent) -> Void) {
        switch self {
        case .value(.dictionary(let content)): for (key, value) in content { body(key, .value(value)) }
        case .value: break
        case .node(let node): for (key, child) in node.entries { body(key, .node(child)) }
        case .table(let table): table.forEach { body($0, .value($1)) }
        case .candidates(let table): table.forEach { body($0, .candidate($1)) }
        case .candidate(let shared):
            for key in shared.candidate.value.dictionary?.keys ?? [:].keys {
                if let child = shared[key] { body(key, .candidate(child)) }
            }
        case .tree(let tree): tree.forEachEntry(body)
        case .grafted(let graft): graft.forEachEntry(body)
        }
    }

    /// Visits an array's elements.
    @inline(never)
    func forEachElement(_ body: (Int, PrefsContent) -> Void) {
        if let node {
            for (index, element) in node.elements.enumerated() { body(index, .node(element)) }
        } else if case .array(let elements) = value {
            for (index, element) in elements.enumerated() { body(index, .value(element)) }
        }
    }

    /// Returns true if a non-dictionary lies above a path inside a dictionary.
    func isBlocked(on path: ArraySlice<String>) -> Bool {
        var content = self
        for key in path {
            guard content.kind == .dictionary else { return true }
            guard let next = content[key] else { return false }
            content = next
        }
        return false
    }

    /// True if a dictionary's key may be a path.
    var hasDottedKey: Bool {
        if case .node(let node) = self { return node.hasDottedKey }
        var isFound = false
        forEachEntry { key, _ in isFound = isFound || key.utf8.contains(UInt8(ascii: ".")) }
        return isFound
    }

    /// Returns true if it is known that these contents and an older version of them have the same keys.
    func hasKnownKeys(of old: PrefsContent) -> Bool {
        if case .node(let node) = self, case .node(let old) = old { return node.hasKnownKeys(of: old) }
        return false
    }

    func hasSameContent(as other: PrefsContent) -> Bool {
        if case .node(let lhs) = self, case .node(let rhs) = other { return lhs.hasSameContent(as: rhs) }
        return SharedCandidate.haveSameContent(candidate, other.candidate) && value == other.value
    }
}

extension PrefsContent {
    /// Visits the highest paths at which two contents differ; below such a path everything may differ.
    ///
    /// - Parameters:
    ///   - path: The path of both contents; `nil` for the root.
    static func forEachDifference(
        _ old: PrefsContent,
        _ new: PrefsContent,
        at path: PrefsPath? = nil,
        _ body: (PrefsPath) -> Void
    ) {
        if case .node(let old) = old, case .node(let new) = new {
            return new.forEachDifference(from: old, at: path, body)
        }
        guard old.kind == .dictionary, new.kind == .dictionary else {
            if let path, !old.hasSameContent(as: new) { body(path) }
            return
        }
        func place(_ key: String) -> PrefsPath { path?.appending(key) ?? PrefsPath.topLevel(key) }
        var common = 0
        new.forEachEntry { key, value in
            guard let previous = old[key] else { return body(place(key)) }
            common += 1
            if previous.kind != .dictionary, previous.hasSameContent(as: value) { return }
            forEachDifference(previous, value, at: place(key), body)
        }
        guard common < old.count else { return }
        old.forEachEntry { key, _ in if new[key] == nil { body(place(key)) } }
    }
}

extension PrefsContent {
    /// Returns the highest paths at which two contents differ.
    ///
    ///     {"http": {"port": 80, "host": "a"}, "x": 1}  →  {"http": {"port": 81, "host": "a"}}
    ///     differ at http.port and x
    static func differences(from old: PrefsContent, to new: PrefsContent) -> PathList {
        var paths = PathList()
        forEachDifference(old, new) { paths.append($0) }
        if case .tree(let tree) = new { paths.append(contentsOf: tree.hiddenDifferences(from: old)) }
        if case .tree(let tree) = old { paths.append(contentsOf: tree.hiddenDifferences(from: new)) }
        return paths
    }

    /// Returns the paths at or below some others at which two contents differ, perhaps one of them twice. They differ
    /// nowhere else.
    ///
    /// The file `{"http": {"port": 80}, "http.port": 1}` and `{"http": {"port": 81}, "http.port": 1}` differ at
    /// `http.port`, but their trees do not.
    static func differences(at edits: PathList, from old: PrefsContent, to new: PrefsContent) -> PathList {
        var paths = PathList()
        for path in edits {
            if !old.hasLiterals(above: path), !new.hasLiterals(above: path) {
                paths.append(path)
            } else if let before = old.literalScalar(at: path), let after = new.literalScalar(at: path) {
                if !before.hasSameContent(as: after) { paths.append(path) }
            } else {
                forEachDifference(below: path, old, new) { paths.append($0) }
            }
        }
        return paths
    }

    /// Returns true if literal keys are put into the top-level entry that a path lies in.
    private func hasLiterals(above path: PrefsPath) -> Bool {
        if case .tree(let tree) = self { tree.hasLiterals(under: path.components[0]) } else { false }
    }

    private static func forEachDifference(
        below path: PrefsPath, _ old: PrefsContent, _ new: PrefsContent, _ body: (PrefsPath) -> Void
    ) {
        switch (old[path.components[...]], new[path.components[...]]) {
        case (let old?, let new?): forEachDifference(old, new, at: path, body)
        case (nil, nil): break
        default: body(path)
        }
        let (hidden, others) = (old.hidden(at: path), new.hidden(at: path))
        if !hidden.elementsEqual(others, by: { $0.hasSameContent(as: $1) }) { body(path) }
    }

    /// Returns the value of a literal key of a root if that is not a dictionary: no other key puts anything in its
    /// place.
    func literalScalar(at path: PrefsPath) -> PrefsContent? {
        guard case .tree(let tree) = self, path.isNested, let content = tree.spelled[path.name] else {
            return nil
        }
        return content.kind == .dictionary ? nil : content
    }

    /// Returns what lies at a path behind non-dictionaries.
    private func hidden(at path: PrefsPath) -> [PrefsContent] {
        guard case .tree(let tree) = self else { return [] }
        var contents: [PrefsContent] = []
        tree.forEachHidden(at: path) { contents.append($1) }
        return contents
    }

    /// True for a value that is not a dictionary, and for an empty dictionary.
    var isLeaf: Bool { kind != .dictionary || count == 0 }

    /// Visits the paths of the values that are not dictionaries, and of empty dictionaries.
    @inline(never)
    func forEachLeaf(at path: PrefsPath, _ body: (PrefsPath) -> Void) {
        if isLeaf { return body(path) }
        forEachEntry { key, content in content.forEachLeaf(at: path.appending(key), body) }
    }
}
