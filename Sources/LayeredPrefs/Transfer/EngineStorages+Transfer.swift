public import PrefsDocuments
extension FilePrefsStorage: PrefsStorageImportable, PrefsStorageExportable {
    /// Changes the file in a single durable write.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        let before = snapshot.dictionary
        var content = before
        try body(&content)
        let changed = Set(before.keys).union(content.keys).filter { before[$0] != content[$0] }
        if changed.isEmpty { return }
        try prepare(changed.sorted().map { PathEdit(path: PrefsPath($0), value: content[$0]) }).commit()
    }
}

extension LayeredPrefsStorage: PrefsStorageExportable {
    /// Returns the effective contents of all layers together, without the keys declared as secret.
    ///
    /// No types are known here, so a value that its key's type would reject is exported, too. To export
    /// secrets as well, export a `DictionaryPrefsStorage(values:)` of ``snapshot``'s dictionary.
    public func exportedContents() throws -> [String: PrefsValue] {
        snapshot.dictionary(without: metadata.secrets)
    }
}
