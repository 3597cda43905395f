extension PrefsError {
    /// Returns the same error for a value inside the dictionary that `key` names.
    func below(_ key: String) -> PrefsError {
        var error = self
        let key = PathText.spelling(of: key)
        error.key = error.key.map { "\(key).\($0)" } ?? key
        return error
    }

    /// The same error, with its key as a path from the top level of a file, where a dotted key is a path.
    var atTopLevel: PrefsError {
        var error = self
        error.key = key.map { PrefsPath($0).name }
        return error
    }
}

extension [String: PrefsValue] {
    /// The entries in the order of a written file: by the UTF-8 bytes of the keys.
    var sortedByKey: [(key: String, value: PrefsValue)] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
