public import PrefsDocuments
/// What becomes of the values a storage has when others are loaded.
public enum PrefsStorageUpdateStrategy: Sendable {
    /// The loaded values take the place of all there were.
    case reinitializing
    /// The loaded values are put in; keys that were not loaded stay.
    case updating
    /// As ``updating``, and where a key has a value already the closure decides.
    case updatingWithPredicate(
        @Sendable (_ key: String, _ old: PrefsValue, _ new: PrefsValue) throws -> ValueUpdateResult)

    /// Which of two values is kept.
    public enum ValueUpdateResult: Sendable, Hashable {
        /// The one the storage has.
        case preserveOldValue
        /// The one that is loaded.
        case takeNewValue
    }

    /// Puts values into contents and returns the keys that were taken.
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
