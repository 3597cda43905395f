public import PrefsDocuments
extension FilePrefsStorage: PrefsStorageImportable, PrefsStorageExportable {
    /// Changes the file as one durable write.
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
    /// What is in force, of all layers together, without the keys that are declared to be secret. What a key's
    /// type refuses counts here: no types are known.
    ///
    /// With the secrets, it is ``snapshot``'s dictionary, which `DictionaryPrefsStorage(values:)` exports.
    public func exportedContents() throws -> [String: PrefsValue] {
        snapshot.dictionary(without: facts.secrets)
    }
}
