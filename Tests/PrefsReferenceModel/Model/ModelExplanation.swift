extension ModelSnapshot {
    /// Explains a key to an administrator: the answer, then every candidate, high to low, with its fate. The
    /// value of a secret key is never printed.
    func explain(_ key: ModelKey) -> [String] {
        let resolution = resolve(key)
        func text(_ value: ModelValue?) -> String {
            key.isSecret ? "(redacted)" : value?.description ?? "nothing"
        }
        var lines = [
            "\(key.name) = \(text(resolution.value)) from \(resolution.origin?.description ?? "its default")"
        ]
        if let lock = resolution.lock { lines.append("locked by \(lock.layerName) at \(lock.path)") }
        for candidate in resolution.candidates {
            lines.append("\(candidate.origin): \(text(candidate.stored)), \(candidate.fate)")
        }
        return lines
    }
}
