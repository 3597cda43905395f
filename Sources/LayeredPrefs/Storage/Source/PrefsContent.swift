import PrefsDocuments

/// A value inside a source: already decoded, or still in the file it came from.
enum PrefsContent: Sendable {
    /// A dictionary in memory; its next version shares unchanged entries with it.
    typealias Table = HashTrie<PrefsValue>
    typealias Entry = (key: String, content: PrefsContent)
    typealias Place = (path: PrefsPath, content: PrefsContent)

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
            let accepted = entries.filter { !$0.content.isRejected }
            return .dictionary(Dictionary(accepted.map { ($0.key, $0.content.value) }) { $1 })
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

    /// The entries of a dictionary, in the file's order if there is a file.
    // Not inlined, so that the module takes less time to compile.
    @inline(never)
    var entries: [Entry] {
        switch self {
        case .value(.dictionary(let content)): content.map { ($0, .value($1)) }
        case .value: []
        case .node(let node): node.entries.map { ($0, .node($1)) }
        case .table(let table): table.dictionary.map { ($0, .value($1)) }
        case .candidates(let table): table.dictionary.map { ($0, .candidate($1)) }
        case .candidate(let shared):
            (shared.candidate.value.dictionary ?? [:]).keys.compactMap { key in
                shared[key].map { (key, .candidate($0)) }
            }
        case .tree(let tree): tree.entries
        case .grafted(let graft): graft.all
        }
    }

    /// The elements of an array.
    var elements: [PrefsContent] {
        if let node { return node.elements.map(PrefsContent.node) }
        if case .array(let elements) = value { return elements.map(PrefsContent.value) }
        return []
    }

    /// Returns the non-dictionary that lies above a path inside a dictionary, and its depth; `nil` if none does.
    func block(on path: ArraySlice<String>) -> (content: PrefsContent, depth: Int)? {
        var content = self
        for (depth, key) in path.enumerated() {
            guard content.kind == .dictionary else { return (content, depth) }
            guard let next = content[key] else { return nil }
            content = next
        }
        return nil
    }

    /// Returns true if a non-dictionary lies above a path inside a dictionary.
    func isBlocked(on path: ArraySlice<String>) -> Bool { block(on: path) != nil }

    /// True if a dictionary's key may be a path.
    var hasDottedKey: Bool {
        if case .node(let node) = self { return node.hasDottedKey }
        return entries.contains { $0.key.utf8.contains(UInt8(ascii: ".")) }
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
    /// Adds the highest paths at which two contents differ; below such a path everything may differ.
    ///
    /// - Parameter path: The path of both contents; `nil` for the root.
    private static func addDifferences(
        _ old: PrefsContent, _ new: PrefsContent, at path: PrefsPath? = nil, to paths: inout PathList
    ) {
        if case .node(let old) = old, case .node(let new) = new {
            return new.forEachDifference(from: old, at: path) { paths.append($0) }
        }
        guard old.kind == .dictionary, new.kind == .dictionary else {
            if let path, !old.hasSameContent(as: new) { paths.append(path) }
            return
        }
        func place(_ key: String) -> PrefsPath { path?.appending(key) ?? PrefsPath.topLevel(key) }
        var common = 0
        // Keys that are equal as `String`s may have other bytes. Those of ASCII have not.
        lazy var spellings = Set(old.entries.map { Array($0.key.utf8) })
        for (key, content) in new.entries {
            guard let previous = old[key] else {
                paths.append(place(key))
                continue
            }
            common += 1
            guard key.utf8Span.isKnownASCII || spellings.contains(Array(key.utf8)) else {
                paths.append(place(key))
                continue
            }
            if previous.kind != .dictionary, previous.hasSameContent(as: content) { continue }
            addDifferences(previous, content, at: place(key), to: &paths)
        }
        guard common < old.count else { return }
        for (key, _) in old.entries where new[key] == nil { paths.append(place(key)) }
    }
}

extension PrefsContent {
    /// Returns the highest paths at which two contents differ.
    ///
    ///     {"http": {"port": 80, "host": "a"}, "x": 1}  →  {"http": {"port": 81, "host": "a"}}
    ///     differ at http.port and x
    static func differences(from old: PrefsContent, to new: PrefsContent) -> PathList {
        var paths = PathList()
        addDifferences(old, new, to: &paths)
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
                addDifferences(below: path, old, new, to: &paths)
            }
        }
        return paths
    }

    /// Returns true if literal keys are put into the top-level entry that a path lies in.
    private func hasLiterals(above path: PrefsPath) -> Bool {
        if case .tree(let tree) = self { tree.hasLiterals(under: path.components[0]) } else { false }
    }

    private static func addDifferences(
        below path: PrefsPath, _ old: PrefsContent, _ new: PrefsContent, to paths: inout PathList
    ) {
        switch (old[path.components[...]], new[path.components[...]]) {
        case (let old?, let new?): addDifferences(old, new, at: path, to: &paths)
        case (nil, nil): break
        default: paths.append(path)
        }
        let (hidden, others) = (old.hidden(at: path), new.hidden(at: path))
        if !hidden.elementsEqual(others, by: { $0.content.hasSameContent(as: $1.content) }) {
            paths.append(path)
        }
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
    func hidden(at path: PrefsPath) -> [Place] {
        if case .tree(let tree) = self { tree.hidden(at: path) } else { [] }
    }

    /// True for a value that is not a dictionary, and for an empty dictionary.
    var isLeaf: Bool { kind != .dictionary || count == 0 }

    /// Adds the paths of the values that are not dictionaries, and of empty dictionaries.
    func addLeaves(at path: PrefsPath, to leaves: inout PathList) {
        if isLeaf { return leaves.append(path) }
        for (key, content) in entries { content.addLeaves(at: path.appending(key), to: &leaves) }
    }
}
