import PrefsDocuments

/// A value inside a source. It is already decoded, or still in its file.
enum PrefsContent: Sendable {
    /// A dictionary in memory. Its next revision shares unchanged entries with it.
    typealias Table = HashTrie<PrefsContent>
    typealias Entry = (key: String, content: PrefsContent)

    case value(PrefsValue)
    case node(PrefsNode)
    /// A value with the storage's statement about it, or a part of such a value.
    indirect case candidate(PrefsCandidate)
    case table(Table)
    /// A dictionary with entries from other places of the source.
    indirect case joined(JoinedDictionary)

    static let emptyDictionary = PrefsContent.value(.dictionary([:]))

    var kind: PrefsValue.Kind {
        switch self {
        case .value(let value): value.kind
        case .node(let node): node.kind
        case .candidate(let candidate): candidate.value.kind
        case .table, .joined: .dictionary
        }
    }

    /// The value. A dictionary omits its rejected candidates.
    var value: PrefsValue {
        switch self {
        case .value(let value): return value
        case .node(let node): return node.value
        case .candidate(let candidate): return candidate.value
        case .table, .joined:
            let accepted = entries.filter { !$0.content.isRejected }
            return .dictionary(Dictionary(accepted.map { ($0.key, $0.content.value) }) { $1 })
        }
    }

    var position: PrefsPosition? { node?.position }

    /// The value in its file; `nil` if it is not in a file.
    var node: PrefsNode? {
        switch self {
        case .node(let node): node
        case .joined(let joined): joined.base?.node
        case .value, .candidate, .table: nil
        }
    }

    /// The storage's statement about the value.
    var candidate: PrefsCandidate? {
        switch self {
        case .candidate(let candidate): candidate
        case .joined(let joined): joined.base?.candidate
        case .value, .node, .table: nil
        }
    }

    /// True if the storage rejects the value for every type.
    var isRejected: Bool { candidate?.rejection != nil }

    /// True for text. Also true for a dictionary that consists only of dotted keys, if one of them is text.
    var containsText: Bool {
        if case .joined(let joined) = self, joined.base == nil { return joined.containsText }
        return candidate?.isText == true
    }

    /// The number of entries of a dictionary.
    var count: Int {
        switch self {
        case .value(.dictionary(let content)): content.count
        case .value: 0
        case .node(let node): node.count
        case .candidate(let candidate): candidate.value.dictionary?.count ?? 0
        case .table(let table): table.count
        case .joined(let joined): joined.entries.count
        }
    }

    /// Returns the entry of a dictionary under a key.
    subscript(key: String) -> PrefsContent? {
        switch self {
        case .value(.dictionary(let content)): content[key].map(PrefsContent.value)
        case .value: nil
        case .node(let node): node.kind == .dictionary ? node[key].map(PrefsContent.node) : nil
        case .candidate(let candidate): candidate.value.dictionary?[key].map(candidate.part)
        case .table(let table): table[key]
        case .joined(let joined): joined[key]
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
        case .candidate(let candidate): (candidate.value.dictionary ?? [:]).map { ($0, candidate.part($1)) }
        case .table(let table): table.dictionary.map { ($0, $1) }
        case .joined(let joined): joined.entries
        }
    }

    /// The elements of an array.
    var elements: [PrefsContent] {
        if let node { return node.elements.map(PrefsContent.node) }
        if case .array(let elements) = value { return elements.map(PrefsContent.value) }
        return []
    }

    /// True if a key of the dictionary may be a path.
    var hasDottedKey: Bool {
        if case .node(let node) = self { return node.hasDottedKey }
        return entries.contains { $0.key.utf8.contains(UInt8(ascii: ".")) }
    }

    /// Returns true if these contents are known to have the same keys as an older revision.
    func hasKnownKeys(of old: PrefsContent) -> Bool {
        if case .node(let node) = self, case .node(let old) = old { return node.hasKnownKeys(of: old) }
        return false
    }

    func hasSameContent(as other: PrefsContent) -> Bool {
        if case .node(let lhs) = self, case .node(let rhs) = other { return lhs.hasSameContent(as: rhs) }
        return PrefsCandidate.haveSameContent(candidate, other.candidate) && value == other.value
    }
}

extension PrefsContent {
    /// Adds the highest paths where two contents differ. Below such a path, everything may differ.
    ///
    /// - Parameter path: The path of both contents; `nil` for the root.
    private static func addDifferences(
        _ old: PrefsContent, _ new: PrefsContent, below path: PrefsPath?, to paths: inout PathList
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
        // Keys that are equal as `String`s may have other bytes, but not if they are ASCII.
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
            addDifferences(previous, content, below: place(key), to: &paths)
        }
        guard common < old.count else { return }
        for (key, _) in old.entries where new[key] == nil { paths.append(place(key)) }
    }
}

extension PrefsContent {
    /// Returns the highest paths where two contents differ.
    ///
    ///     {"http": {"port": 80, "host": "a"}, "x": 1}  →  {"http": {"port": 81, "host": "a"}}
    ///     differ at http.port and x
    static func differences(from old: PrefsContent, to new: PrefsContent) -> PathList {
        var paths = PathList()
        addDifferences(old, new, below: nil, to: &paths)
        return paths
    }

    /// Adds the highest paths, at or below a given path, where two contents of that path differ.
    static func addDifferences(
        _ old: PrefsContent?, _ new: PrefsContent?, at path: PrefsPath, to paths: inout PathList
    ) {
        if let old, let new { return addDifferences(old, new, below: path, to: &paths) }
        if old != nil || new != nil { paths.append(path) }
    }

    /// The entries of a dictionary as a table.
    var table: Table {
        if case .table(let table) = self { return table }
        return Table(Dictionary(entries.map { ($0.key, $0.content) }) { $1 })
    }

    /// True for a value that is not a dictionary, and for an empty dictionary.
    var isLeaf: Bool { kind != .dictionary || count == 0 }

    /// Adds the paths of the values that are not dictionaries, and of empty dictionaries.
    func addLeaves(at path: PrefsPath, to leaves: inout PathList) {
        if isLeaf { return leaves.append(path) }
        for (key, content) in entries { content.addLeaves(at: path.appending(key), to: &leaves) }
    }
}

extension PrefsCandidate {
    /// Returns true if readers cannot tell two candidates apart, except by their origins.
    fileprivate static func haveSameContent(_ lhs: PrefsCandidate?, _ rhs: PrefsCandidate?) -> Bool {
        lhs?.value == rhs?.value && lhs?.isText == rhs?.isText
            && lhs?.rejection?.reason == rhs?.rejection?.reason
    }

    /// Returns an entry of a dictionary, with the storage's statement about the dictionary.
    fileprivate func part(_ value: PrefsValue) -> PrefsContent {
        var part = self
        part.value = value
        return .candidate(part)
    }
}
