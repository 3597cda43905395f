public import PrefsDocuments

/// The way in which imported values are combined with those that a storage already holds.
///
/// Importing `["a": 3, "c": 4]` into a storage that holds `["a": 1, "b": 2]` results in `["a": 3, "c": 4]`
/// with ``reinitializing`` and in `["a": 3, "b": 2, "c": 4]` with ``updating``.
public enum PrefsStorageUpdateStrategy: Sendable {
    /// The imported values replace all existing ones.
    case reinitializing
    /// The imported values are added, or replace those of the same keys; other keys remain.
    case updating
    /// Like ``updating``, except that the closure decides for each key that already has a value.
    case updatingWithPredicate(
        @Sendable (_ key: String, _ old: PrefsValue, _ new: PrefsValue) throws -> ValueUpdateResult)

    /// The decision between an existing and an imported value.
    public enum ValueUpdateResult: Sendable, Hashable {
        /// Keeps the storage's value.
        case preserveOldValue
        /// Takes the imported value.
        case takeNewValue
    }

    /// Applies imported values to the contents and returns the keys whose values were taken.
    func apply(_ values: [String: PrefsValue], to content: inout [String: PrefsValue]) throws -> Set<String> {
        switch self {
        case .reinitializing: content = values
        case .updating: content.merge(values) { $1 }
        case .updatingWithPredicate(let choose): return try merge(values, into: &content, choose)
        }
        return Set(values.keys)
    }

    private func merge(
        _ values: [String: PrefsValue],
        into content: inout [String: PrefsValue],
        _ choose: (String, PrefsValue, PrefsValue) throws -> ValueUpdateResult
    ) throws -> Set<String> {
        var taken: Set<String> = []
        for (key, value) in values {
            if let old = content[key], try choose(key, old, value) == .preserveOldValue { continue }
            content[key] = value
            taken.insert(key)
        }
        return taken
    }
}
