public import PrefsDocuments

extension PrefsStack {
    /// Returns the effective contents of all layers together, without the keys declared as secret.
    ///
    /// No types are known here, so a value that its key's type would reject is exported, too. To export
    /// secrets as well, export a `DictionaryPrefsStorage(values:)` of ``snapshot``'s dictionary.
    public func exportedContents() -> [String: PrefsValue] {
        let snapshot = snapshot
        return snapshot.secrets.removing(from: .dictionary(snapshot.dictionary), at: nil)?.dictionary ?? [:]
    }
}
