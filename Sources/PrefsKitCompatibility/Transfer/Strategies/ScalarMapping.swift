import PrefsDocuments

extension [String: PrefsValue] {
    /// Returns the contents with every value that is neither an array nor a dictionary transformed.
    ///
    /// - Parameter transform: Receives the value and the keys that lead to it; returns the new value, or
    ///   `nil` to omit it.
    func mapScalars(
        at path: [String] = [], _ transform: ([String], PrefsValue) throws -> PrefsValue?
    ) rethrows -> Self {
        var result: Self = [:]
        for (key, value) in self { result[key] = try value.mapScalars(at: path + [key], transform) }
        return result
    }
}

extension PrefsValue {
    fileprivate func mapScalars(
        at path: [String], _ transform: ([String], PrefsValue) throws -> PrefsValue?
    ) rethrows -> PrefsValue? {
        switch self {
        case .array(let elements): .array(try elements.compactMap { try $0.mapScalars(at: path, transform) })
        case .dictionary(let content): .dictionary(try content.mapScalars(at: path, transform))
        default: try transform(path, self)
        }
    }
}
