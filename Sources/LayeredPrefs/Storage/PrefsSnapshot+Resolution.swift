public import PrefsDocuments
extension PrefsSnapshot {
    /// The untyped answer for a key and its reason; dictionaries are filled in from the layers beneath.
    public func resolution(forKey key: String) -> PrefsResolution<PrefsValue?> {
        let candidates = rawCandidates(at: PrefsPath(key))
        let usable = candidates.filter { $0.rejection == nil }
        return PrefsResolution(
            value: self[key],
            origin: usable.first?.origin,
            shadowed: Array(usable.dropFirst()),
            rejected: candidates.compactMap(\.rejection).map { $0.naming(key) },
            lock: lock(on: PrefsPath(key)),
            generation: generation
        )
    }
}

extension PrefsError {
    /// The same error, said of a key.
    func naming(_ key: String) -> PrefsError {
        var error = self
        error.key = key
        return error
    }
}
