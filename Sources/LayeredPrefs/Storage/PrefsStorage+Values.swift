public import PrefsDocuments

extension PrefsStorage {
    /// Returns the effective value for a key, of any type.
    public func prefsValue(forKey key: String) -> PrefsValue? {
        let usable = candidates(forKey: key).filter { $0.rejection == nil }
        guard let top = usable.first?.value else { return nil }
        // Only dictionaries of several layers are merged; for some storages the whole snapshot is expensive.
        return top.kind == .dictionary && usable.count > 1 ? snapshot[key] : top
    }
}
