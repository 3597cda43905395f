import PrefsDocuments

/// A value inside a source: already decoded, or still in the file it came from.
enum PrefsContent: Sendable {
    /// A dictionary in memory; its next version shares unchanged entries with it.
    typealias Table = HashTrie<PrefsValue>

    case value(PrefsValue)
    case node(PrefsNode)
    case table(Table)

    var kind: PrefsValue.Kind {
        switch self {
        case .value(let value): value.kind
        case .node(let node): node.kind
        case .table: .dictionary
        }
    }

    var value: PrefsValue {
        switch self {
        case .value(let value): value
        case .node(let node): node.value
        case .table(let table): .dictionary(table.dictionary)
        }
    }

    /// The size of the file that this keeps in memory; 0 if it is not in a file.
    var fileSize: Int {
        switch self {
        case .value, .table: 0
        case .node(let node): node.fileSize
        }
    }

    var position: PrefsPosition? {
        switch self {
        case .value, .table: nil
        case .node(let node): node.position
        }
    }

    var count: Int {
        switch self {
        case .value(.dictionary(let content)): content.count
        case .value: 0
        case .node(let node): node.count
        case .table(let table): table.count
        }
    }

    /// Returns the entry of a dictionary under a literal key.
    subscript(key: String) -> PrefsContent? {
        switch self {
        case .value(.dictionary(let content)): content[key].map(PrefsContent.value)
        case .value: nil
        case .node(let node): node.kind == .dictionary ? node[key].map(PrefsContent.node) : nil
        case .table(let table): table[key].map(PrefsContent.value)
        }
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
        }
    }

    /// Returns true if a non-dictionary lies above a path in its nested spelling.
    func isBlocked(on path: PrefsPath) -> Bool {
        var content = self
        for key in path.components {
            guard content.kind == .dictionary else { return true }
            guard let next = content[key] else { return false }
            content = next
        }
        return false
    }

    /// Returns true if it is known that these contents and an older version of them have the same keys.
    func hasKnownKeys(of old: PrefsContent) -> Bool {
        if case .node(let node) = self, case .node(let old) = old { return node.hasKnownKeys(of: old) }
        return false
    }

    func hasSameContent(as other: PrefsContent) -> Bool {
        if case .node(let lhs) = self, case .node(let rhs) = other { return lhs.hasSameContent(as: rhs) }
        return value == other.value
    }
}

extension PrefsContent {
    /// Visits the highest paths at which two contents differ; below such a path everything may differ.
    ///
    /// - Parameters:
    ///   - path: The path of both contents; `nil` for the root, whose dotted keys are paths of their own.
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
        func place(_ key: String) -> PrefsPath { path?.appending(key) ?? PrefsPath(key) }
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
        return paths
    }

    /// Visits the paths of the values that are not dictionaries, and of empty dictionaries.
    @inline(never)
    func forEachLeaf(at path: PrefsPath, _ body: (PrefsPath) -> Void) {
        guard kind == .dictionary, count > 0 else { return body(path) }
        forEachEntry { key, content in content.forEachLeaf(at: path.appending(key), body) }
    }
}
