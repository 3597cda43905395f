public import PrefsDocuments

extension PrefsStack {
    /// Returns the effective contents of all layers together, without the keys that are declared as secret.
    ///
    /// This method does not know the types of keys. So it even exports values that the type of their key would reject.
    /// To include secrets, export a `DictionaryPrefsStorage(values:)` that has the dictionary of ``snapshot``.
    public func exportedContents() -> [String: PrefsValue] {
        let snapshot = snapshot
        return snapshot.secrets.removing(from: .dictionary(snapshot.dictionary), at: nil)?.dictionary ?? [:]
    }
}
