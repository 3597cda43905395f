import PrefsDocuments

/// A dictionary with entries from other places of its source.
///
/// In `{"http": {"host": "a", "port": 80}, "http.port": 81}` the dictionary `http` is the one of the file, with
/// `port` from the literal key.
struct Graft: Sendable {
    /// The dictionary as the source spells it; an empty one if literal keys alone make it up.
    let base: PrefsContent
    /// A trie, which the next version shares.
    private var entries = HashTrie<PrefsContent>()
    /// The keys of the entries that the base does not have.
    private var added: [String] = []

    fileprivate init(_ base: PrefsContent) { self.base = base }

    var count: Int { base.count + added.count }

    /// True if literal keys alone make up the dictionary.
    var isAssembled: Bool { base.count == 0 && base.position == nil && base.candidate == nil }

    subscript(key: String) -> PrefsContent? { entries[key] ?? base[key] }

    /// The entries of both.
    var all: [PrefsContent.Entry] {
        base.entries.map { ($0.key, entries[$0.key] ?? $0.content) }
            + added.compactMap { key in entries[key].map { (key, $0) } }
    }

    /// The dictionary, in which a rejected candidate replaces nothing.
    var value: PrefsValue {
        var content = base.value.dictionary ?? [:]
        entries.forEach { key, entry in
            if !entry.isRejected { content[key] = entry.value }
        }
        return .dictionary(content)
    }

    /// True if a value that does not come from the base is text.
    var containsText: Bool {
        var isFound = false
        entries.forEach { _, entry in isFound = isFound || entry.containsText }
        return isFound
    }

    fileprivate mutating func put(_ content: PrefsContent, at path: ArraySlice<String>) {
        guard let key = path.first else { return }
        let present = self[key]
        if present == nil { added.append(key) }
        var entry = present ?? .emptyDictionary
        // Releases the other reference to a dictionary, so that changing it does not copy it.
        if path.count > 1 { entries[key] = nil }
        entry.graft(content, at: path.dropFirst())
        entries[key] = entry
    }
}

extension PrefsContent {
    /// True for text, and for a dictionary that literal keys make up if one of them is text.
    var containsText: Bool {
        if case .grafted(let graft) = self, graft.isAssembled { return graft.containsText }
        return candidate?.isText == true
    }

    /// Puts a value at a path inside a dictionary, in place of the one that is there, if any. Nothing on the way
    /// may be something else than a dictionary.
    mutating func graft(_ content: PrefsContent, at path: ArraySlice<String>) {
        if path.isEmpty {
            self = content
            return
        }
        var graft = if case .grafted(let graft) = self { graft } else { Graft(self) }
        // Releases the other reference to the entries, so that adding one does not copy them.
        self = .emptyDictionary
        graft.put(content, at: path)
        self = .grafted(graft)
    }
}
