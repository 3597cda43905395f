#if Macros
    import PrefsDocuments

    /// The typed key of a schema's property at its place in the storage, with the paths of its names, computed
    /// once.
    struct SchemaKey<Value: Sendable>: Sendable {
        let typed: PersistentKey<Value>
        let name: PrefsKeyName
        /// The paths where the value may be stored, the current name's path first.
        let paths: [PrefsPath]
        /// True if the key does not merge, so that the topmost stored value is effective if it is accepted.
        private let isSimple: Bool

        init(_ key: PersistentKey<Value>) {
            typed = key
            name = key.name
            paths = key.name.paths
            isSimple = !key.traits.mergesDeeply
        }

        /// Returns true if the key's value differs between two states of a storage. Rejected values are reported
        /// to the storage.
        ///
        /// Only the value counts, not its origin. If the user layer's `1` is removed and the system layer's `1`
        /// becomes effective, the key does not differ.
        func differs(between old: PrefsSnapshot, and new: PrefsSnapshot, in storage: any PrefsStorage) -> Bool
        {
            guard typed.isMutable else { return false }
            return topmostDiffers(between: old, and: new)
                ?? resolvedDiffers(between: old, and: new, in: storage)
        }

        /// Compares only the topmost stored value of each state; returns `nil` if the answer requires a full
        /// resolution.
        ///
        /// For an `Int` key:
        ///
        /// | topmost stored value, before → after | result |
        /// |---|---|
        /// | `1` → `1`, or absent → absent | `false` |
        /// | `1` → `2` | `true` |
        /// | absent → the default's own value | `false` |
        /// | `1` → `"two"` | `nil`: rejected, so the value of a lower layer is effective |
        private func topmostDiffers(between old: PrefsSnapshot, and new: PrefsSnapshot) -> Bool? {
            guard isSimple else { return nil }
            let before = old.topValue(of: name, at: paths)
            let after = new.topValue(of: name, at: paths)
            if before == .absent, after == .absent { return false }
            guard let earlier = typed.value(of: before) else { return nil }
            if before == after { return false }
            guard let later = typed.value(of: after) else { return nil }
            return !isEqual(earlier, later)
        }

        private func resolvedDiffers(
            between old: PrefsSnapshot, and new: PrefsSnapshot, in storage: some PrefsStorage
        ) -> Bool {
            let before = old.candidates(for: name, typed: typed.typing)
            let after = new.candidates(for: name, typed: typed.typing)
            if before.elementsEqual(after, by: { $0.reads(as: $1) }) { return false }
            let earlier = typed.resolve(candidates: before)
            let later = typed.resolve(candidates: after)
            if !later.rejections.isEmpty || !earlier.rejections.isEmpty { storage._noteRejection(of: typed) }
            switch (earlier.winner, later.winner) {
            case (nil, nil): return false
            // A deeply merged value also depends on candidates below its winner.
            case (let first?, let second?)
            where !typed.traits.mergesDeeply && before[first].reads(as: after[second]):
                return false
            default: return !isEqual(earlier.value, later.value)
            }
        }

        /// Returns true if two values have the same stored form. Comparing the values is not enough, because texts
        /// that are equal as `String`s may have different bytes.
        func isEqual(_ old: Value, _ new: Value) -> Bool { typed.isSame(old, new) }
    }

    extension PrefsCandidate {
        /// Returns true if both candidates result in the same value for every key, regardless of their origins.
        fileprivate func reads(as other: PrefsCandidate) -> Bool {
            value == other.value && isText == other.isText && (rejection == nil) == (other.rejection == nil)
        }
    }
#endif
