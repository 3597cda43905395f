public import PrefsDocuments

/// A storage in memory, for defaults in code, overrides at run time, and values in tests.
///
/// On its own, the storage takes keys literally. As a layer of a stack, its key `http.port` is also `port` in
/// `http`. A write is visible to the next read on any thread. Writing an equal value notifies no observer.
public final class DictionaryPrefsStorage: PathWritablePrefsStorage {
    private let published: PublishedSource

    /// Creates a storage with initial values.
    public init(values: [String: PrefsValue] = [:]) {
        let table = PrefsContent.Table(values)
        published = PublishedSource(PrefsSource(.table(table)), keysAreLiteral: true)
    }

    public var snapshot: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { published.changes }

    public var isWritable: Bool { true }

    /// Returns the stored value of a key, as ``value(forKey:)`` does, without a snapshot.
    package func storedValue(forKey key: String) -> PrefsValue? {
        guard case .table(let table) = published.value.spelled else { return nil }
        return table[key.utf8.contains(UInt8(ascii: "\"")) ? PrefsPath(key).literalKey : key]
    }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try UpdateCall.checkHasEnded(writing: key)
        let path = PrefsPath(key)
        let didChange = published.update { $0.changing([path]) { $0[path.literalKey] = value } }
        if didChange { published.changes.notify() }
        return .effective
    }

    func prepare(_ edits: PathEdits) -> any PreparedEdits {
        ImmediateEdits(makePreview: { [self] in preview(edits) }) { [self] in
            guard try published.update({ try $0.applying(edits.edits(of: $0)) }) else {
                return CommittedEdits()
            }
            return CommittedEdits { [self] in published.changes.notify() }
        }
    }

    /// Returns the contents that edits lead to.
    private func preview(_ edits: PathEdits) -> PrefsSource? {
        let contents = published.value
        guard let edits = try? edits.edits(of: contents) else { return nil }
        return contents.applying(edits) ?? contents
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
                for key in changed { table[key] = content[key] }
            }
        }
        if didChange { published.changes.notify() }
    }
}

extension PrefsSource {
    /// Returns the contents that edits of a table lead to; `nil` if they change nothing.
    fileprivate func applying(_ edits: [PathEdit]) -> PrefsSource? {
        changing(edits.map(\.path)) { table in
            for edit in edits { table.apply(edit) }
        }
    }

    /// Returns the contents that changes of a table at some paths lead to; `nil` if they change nothing.
    fileprivate func changing(
        _ paths: [PrefsPath], _ body: (inout PrefsContent.Table) -> Void
    ) -> PrefsSource? {
        guard case .table(let before) = spelled else { return nil }
        var table = before
        body(&table)
        let (old, new) = (PrefsContent.table(before), PrefsContent.table(table))
        func isChanged(_ path: PrefsPath) -> Bool {
            path.spellings.contains { table[$0.key] != before[$0.key] }
        }
        // One edit, which is most writes, takes no list of its own.
        if paths.count == 1 {
            return isChanged(paths[0]) ? next(new, changing: PathList(paths), cause: .write) : nil
        }
        // Of what one edit adds and another removes, only the empty dictionary above it goes.
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
    /// Writes to the spelling that the contents have: the longest literal key that exists, else the nested one, or
    /// the literal key if something on the way is not a dictionary. Removing removes all.
    ///
    /// Setting `http.port` to 1:
    ///
    ///     {"http.port": 80}            →  {"http.port": 1}
    ///     {"http": {"port": 80}}       →  {"http": {"port": 1}}
    ///     {"http": "off"}              →  {"http": "off", "http.port": 1}
    ///     {}                           →  {"http": {"port": 1}}
    fileprivate mutating func apply(_ edit: PathEdit) {
        guard let value = edit.value else {
            for spelling in edit.path.spellings { remove(at: spelling.rest, in: spelling.key) }
            return
        }
        let place = edit.path.spelling { self[$0] != nil }
        if self[place.key]?.isBlocked(on: place.rest) == true {
            self[edit.path.name] = value
            return
        }
        update(place.key) { content in
            if content == nil { content = .dictionary([:]) }
            content?.insert(value, at: place.rest)
        }
    }

    /// Also removes the dictionary at the top-level key if this leaves it empty.
    private mutating func remove(at place: ArraySlice<String>, in key: String) {
        if place.isEmpty { self[key] = nil }
        guard var content = self[key], content.remove(at: place) else { return }
        self[key] = content == .dictionary([:]) ? nil : content
    }
}

extension PrefsStorage where Self == DictionaryPrefsStorage {
    /// An empty storage in memory.
    // Disfavoured, so that a module whose storage has this name may have this factory, too.
    @_disfavoredOverload
    public static var dictionary: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}
