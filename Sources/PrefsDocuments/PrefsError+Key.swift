extension PrefsError {
    /// The same error, said of a value inside the dictionary that `key` names.
    func beneath(_ key: String) -> PrefsError {
        var error = self
        error.key = error.key.map { "\(key).\($0)" } ?? key
        return error
    }
}

extension [String: PrefsValue] {
    /// The entries in the order in which files are written: by the keys' UTF-8 bytes.
    var sortedByKey: [(key: String, value: PrefsValue)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
