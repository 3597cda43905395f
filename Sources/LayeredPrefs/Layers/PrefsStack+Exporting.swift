public import PrefsDocuments

extension PrefsStack {
    /// Returns the effective contents of all layers together, without the keys that are declared as secret.
    ///
    /// This method does not know the types of keys, so it exports even values that their keys would reject. To
    /// include secrets, export a `DictionaryPrefsStorage(values:)` with the dictionary of ``snapshot``.
    public func exportedContents() -> [String: PrefsValue] {
        let snapshot = snapshot
        return snapshot.secrets.removing(from: .dictionary(snapshot.dictionary), at: nil)?.dictionary ?? [:]
    }
}
