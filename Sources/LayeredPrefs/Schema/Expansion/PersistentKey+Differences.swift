import PrefsDocuments

extension PersistentKey {
    /// Indicates whether the key's value differs between two states of a storage; rejected values are
    /// reported to the storage.
    ///
    /// Only the value counts, not its origin. If the user layer's `1` is removed and the system layer's `1`
    /// becomes effective, the key does not differ.
    func differs(between old: PrefsSnapshot, and new: PrefsSnapshot, in storage: some PrefsStorage) -> Bool {
        let name = name
        let before = old.candidates(for: name, typed: typing)
        let after = new.candidates(for: name, typed: typing)
        if before.elementsEqual(after, by: { $0.reads(as: $1) }) { return false }
        let earlier = resolve(candidates: before)
        let later = resolve(candidates: after)
        if !later.rejections.isEmpty || !earlier.rejections.isEmpty { storage._noteRejection(of: self) }
        switch (earlier.winner, later.winner) {
        case (nil, nil): return false
        // A deeply merged value also depends on candidates below its winner.
        case (let first?, let second?)
        where !traits.mergesDeeply && before[first].reads(as: after[second]):
            return false
        default: return !isEqual(earlier.value, later.value)
        }
    }

    /// Indicates whether two values are equal. Values of a type that is not `Equatable` count as different: a
    /// superfluous notification does no harm.
    func isEqual(_ old: Value, _ new: Value) -> Bool { (old as? any Equatable)?.isEqual(to: new) ?? false }
}

extension PrefsCandidate {
    /// Indicates whether both candidates result in the same value for every key, regardless of their origins.
    fileprivate func reads(as other: PrefsCandidate) -> Bool {
        value == other.value && isText == other.isText && (rejection == nil) == (other.rejection == nil)
    }
}
