public import PrefsDocuments

extension FilePrefsStorage {
    /// Changes any number of keys in a single durable write. `body` receives the contents and modifies them.
    ///
    /// - Throws: Any error of `body`, in which case nothing is changed; ``PrefsError`` if the file cannot be
    ///   written.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        let before = snapshot.dictionary
        var content = before
        try body(&content)
        let changed = Set(before.keys).union(content.keys).filter { before[$0] != content[$0] }
        if changed.isEmpty { return }
        try prepare(changed.sorted().map { PathEdit(path: PrefsPath($0), value: content[$0]) }).commit()?()
    }
}
