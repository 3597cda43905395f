public import PrefsDocuments
extension PrefsSnapshot {
    /// Returns the untyped value of a key, and its origin.
    ///
    /// If the value is a dictionary, it is merged with the dictionaries of the layers below.
    public func resolution(forKey key: String) -> PrefsResolution<PrefsValue?> {
        let path = PrefsPath(key)
        let candidates = untypedCandidates(at: path)
        let usable = candidates.filter { $0.rejection == nil }
        return PrefsResolution(
            value: Self.merged(usable),
            origin: usable.first?.origin,
            shadowed: Array(usable.dropFirst()),
            rejected: candidates.compactMap(\.rejection).map { $0.naming(key) },
            lock: lock(on: path),
            generation: generation,
            isSecret: secrets.touches(path)
        )
    }
}

extension PrefsError {
    /// Returns the same error with a key's name, unless it already names a part of that key's value, such as
    /// `routes[2].host`.
    func naming(_ key: String) -> PrefsError {
        if let part = self.key, part.hasPrefix(key), [".", "["].contains(part.dropFirst(key.count).first) {
            return self
        }
        var error = self
        error.key = key
        return error
    }
}
