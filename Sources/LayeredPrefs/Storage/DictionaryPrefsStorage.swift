public import PrefsDocuments

/// A storage in memory, for defaults in code, overrides at run time, and values in tests.
///
/// On its own, the storage takes keys literally. As a layer of a stack, its key `http.port` is also `port` in
/// `http`. A write is visible to the next read on any thread. Writing an equal value notifies no observer.
public final class DictionaryPrefsStorage: PathWritablePrefsStorage {
    private let published: PublishedSource

    /// Creates a storage with initial values.
    public init(values: [String: PrefsValue] = [:]) {
        let table = PrefsContent.Table(values.mapValues(PrefsContent.value))
        published = PublishedSource(PrefsSource(.table(table)), keysAreLiteral: true)
    }

    public var snapshot: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { published.changes }

    public var isWritable: Bool { true }

    /// Returns the stored value of a key, as ``value(forKey:)`` does, without a snapshot.
    package func storedValue(forKey key: String) -> PrefsValue? {
        guard case .table(let table) = published.value.spelled else { return nil }
        return table[key.utf8.contains(UInt8(ascii: "\"")) ? PrefsPath(key).literalKey : key]?.value
    }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try UpdateCall.checkHasEnded(writing: key)
        let path = PrefsPath(key)
        let didChange = published.update {
            $0.changing([path]) { $0[path.literalKey] = value.map(PrefsContent.value) }
        }
        if didChange { published.changes.notify() }
        return .effective
    }

    func prepare(_ edits: PathEdits) throws -> any PreparedEdits {
        let prepared = DictionaryEdits(of: published, edits)
        _ = try prepared.next(after: published.value)
        return prepared
    }

    /// Changes any number of keys as one change.
    ///
    /// The cost is proportional to the number of keys in the storage. To change a single key,
    /// ``setValue(_:forKey:)`` is cheaper.
    ///
    /// - Parameter body: Changes the contents. No other thread waits for it. If anything writes to the
    ///   storage in the meantime, `body` is called again with the new contents. So it must not write to the
    ///   storage itself.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) rethrows {
        let didChange = try published.update { contents in
            let before = contents.spelled.value.dictionary ?? [:]
            var content = before
            try body(&content)
            let changed = Set(before.keys).union(content.keys).filter { before[$0] != content[$0] }
            return contents.changing(changed.map { PrefsPath.topLevel($0) }) { table in
                for key in changed { table[key] = content[key].map(PrefsContent.value) }
            }
        }
        if didChange { published.changes.notify() }
    }
}

/// Changes of a storage in memory. There is nothing to prepare.
private final class DictionaryEdits: PreparedEdits {
    private let published: PublishedSource
    private let edits: PathEdits
    private var previewed: PrefsSource?

    init(of published: PublishedSource, _ edits: PathEdits) {
        (self.published, self.edits) = (published, edits)
    }

    var file: String? { nil }

    var preview: PrefsSource? {
        let contents = published.value
        previewed = try? next(after: contents)
        return previewed ?? contents
    }

    /// Returns the contents after the edits; `nil` if the edits change nothing.
    func next(after contents: PrefsSource) throws -> PrefsSource? {
        // Publish exactly the contents that were validated.
        if let previewed, previewed.step?.start == contents.version { return previewed }
        return try contents.applying(contents.clearingTheWay(for: edits.edits(of: contents)))
    }

    func commit() throws -> CommittedEdits? {
        guard try published.update(next) else { return CommittedEdits() }
        return CommittedEdits { [published] in published.changes.notify() }
    }

    func preparedAgain() throws -> any PreparedEdits { self }
}

extension PrefsSource {
    /// Returns the contents after edits of a table; `nil` if the edits change nothing.
    fileprivate func applying(_ edits: [PathEdit]) -> PrefsSource? {
        changing(edits.map(\.path)) { table in
            for edit in edits { table.apply(edit) }
        }
    }

    /// Returns the contents after a table was changed at some paths; `nil` if nothing has changed.
    fileprivate func changing(
        _ paths: [PrefsPath], _ body: (inout PrefsContent.Table) -> Void
    ) -> PrefsSource? {
        guard case .table(let before) = spelled else { return nil }
        var table = before
        body(&table)
        let (old, new) = (PrefsContent.table(before), PrefsContent.table(table))
        func isChanged(_ path: PrefsPath) -> Bool {
            path.spellings.contains { table[$0.key]?.value != before[$0.key]?.value }
        }
        // Most writes are one edit, which needs no list of its own.
        if paths.count == 1 {
            guard isChanged(paths[0]) else { return nil }
            if overlay == nil { return next(new, changing: PathList(paths), cause: .write) }
            // A dotted key that loses its last entry no longer replaces the nested value, so its path
            // changes, too.
            let gone = paths[0].spellings.dropFirst().map(\.key).filter {
                before[$0] != nil && table[$0] == nil && PrefsPath.isNested($0)
            }
            let changed = gone.isEmpty ? paths : paths + gone.map { PrefsPath($0) }
            return next(new, changing: PathList(changed), cause: .write)
        }
        // If one edit adds a value and another removes it, only the empty dictionary above may be gone.
        let changed = paths.filter(isChanged).map { $0.isFound(in: old, or: new) ? $0 : $0.top }
        return changed.isEmpty ? nil : next(new, changing: PathList(changed), cause: .write)
    }
}

extension PrefsPath {
    /// The path of the top-level key.
    fileprivate var top: PrefsPath { PrefsPath(components: [components[0]]) }

    /// Returns true if one of two contents has a value here, however it spells the path.
    fileprivate func isFound(in old: PrefsContent, or new: PrefsContent) -> Bool {
        spellings.contains { place in
            let components = place.components[...]
            return old[components] != nil || new[components] != nil
        }
    }
}

extension DictionaryPrefsStorage {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: self, paths: self, contents: self, transitions: published)
    }
}

extension PrefsContent.Table {
    /// Writes a value to the spelling that the contents have: the longest literal key that exists, or else
    /// the nested key. A removal removes all spellings.
    ///
    /// Setting `http.port` to 1:
    ///
    ///     {"http.port": 80}            →  {"http.port": 1}
    ///     {"http": {"port": 80}}       →  {"http": {"port": 1}}
    ///     {}                           →  {"http": {"port": 1}}
    fileprivate mutating func apply(_ edit: PathEdit) {
        guard let value = edit.value else {
            for spelling in edit.path.spellings { remove(at: spelling.rest, in: spelling.key) }
            return
        }
        let place = edit.path.spelling { self[$0] != nil }
        update(place.key) { content in
            var entry = content?.value ?? .dictionary([:])
            // Release the other reference to the entries.
            content = nil
            entry.insert(value, at: place.rest)
            content = .value(entry)
        }
    }

    /// Also removes the dictionary at the top-level key if this leaves it empty.
    private mutating func remove(at place: ArraySlice<String>, in key: String) {
        if place.isEmpty { self[key] = nil }
        guard var content = self[key]?.value, content.remove(at: place) else { return }
        self[key] = content == .dictionary([:]) ? nil : .value(content)
    }
}

extension PrefsStorage where Self == DictionaryPrefsStorage {
    /// An empty storage in memory.
    // Disfavoured, so that a module whose storage has this name may have this factory, too.
    @_disfavoredOverload
    public static var dictionary: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}
