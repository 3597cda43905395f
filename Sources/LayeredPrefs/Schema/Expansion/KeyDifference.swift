extension PersistentKeyProtocol {
    /// Whether this key reads differently from two states of a storage, which hears of values refused.
    func differs(
        between old: PrefsSnapshot, and new: PrefsSnapshot, in storage: some PersistentKeyValueStore
    ) -> Bool {
        let before = old.candidates(for: name, typed: typing)
        let after = new.candidates(for: name, typed: typing)
        if before.elementsEqual(after, by: { $0.reads(as: $1) }) { return false }
        let earlier = resolve(candidates: before)
        let later = resolve(candidates: after)
        if !later.rejections.isEmpty || !earlier.rejections.isEmpty { storage.noteRefusal(of: self) }
        switch (earlier.winner, later.winner) {
        case (nil, nil): return false
        // A merged value has parts beneath its winner.
        case (let first?, let second?) where !traits.mergesDeeply && before[first].reads(as: after[second]):
            return false
        default: return !isEqual(earlier.value, later.value)
        }
    }

    /// Values that cannot be compared count as different: a notice too many does no harm.
    func isEqual(_ old: Value, _ new: Value) -> Bool {
        guard let old = old as? any Equatable else { return false }
        return old.equals(new)
    }
}

extension PrefsCandidate {
    /// Whether both give any key the same value; where they come from does not matter.
    fileprivate func reads(as other: PrefsCandidate) -> Bool {
        value == other.value && isText == other.isText && (rejection == nil) == (other.rejection == nil)
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { other as? Self == self }
}
