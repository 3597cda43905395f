public import PrefsDocuments

/// The topmost stored value of a name. It does not depend on the key's type.
@usableFromInline
enum TopValue: Sendable, Equatable {
    /// Not yet looked up in this generation.
    case unknown
    /// No layer sets the name.
    case absent
    /// The topmost value, which is effective if the key accepts it.
    case stored(PrefsValue)
    /// The topmost value is text, which is effective if the key parses and accepts it.
    case text(String)
    /// The full resolution is needed: for a rejected candidate, for parts that several texts set, or for a
    /// dictionary that contains a lock.
    case involved
}

extension PersistentKey {
    /// Returns the effective value if the topmost stored value determines it; `nil` if the topmost value is not
    /// known or not acceptable, so that the layers have to be asked.
    @inlinable
    func value(of topmost: TopValue) -> Value? {
        switch topmost {
        case .stored(let stored): return acceptedValue(of: stored)
        case .text(let text):
            guard let stored = storedForm(ofText: text) else { return nil }
            return acceptedValue(of: stored)
        case .absent: return defaultValue
        case .unknown, .involved: return nil
        }
    }

    /// Returns the value of a stored form; `nil` if it does not decode or if the validation rejects it.
    @inlinable
    func acceptedValue(of stored: PrefsValue) -> Value? {
        guard let value = coding.decode(stored) else { return nil }
        guard let declared, declared.areValidated else { return value }
        return declared.accept(value) ? value : nil
    }
}
