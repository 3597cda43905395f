import PrefsDocuments
import PrefsSystem

/// A cache of a configuration's values in the two snapshots that were used last. Checking, publishing and
/// observing an edit all need these two values, and decode each of them only once.
final class RecentValues<Value: Sendable>: Sendable {
    /// The value in one snapshot.
    final class Entry: Sendable {
        /// The stored form of the layers' values.
        let stored: PrefsValue
        let value: Result<Value, PrefsError>
        private let encoding = Lock<PrefsValue?>(nil)

        init(_ stored: PrefsValue, _ value: Result<Value, PrefsError>) {
            (self.stored, self.value) = (stored, value)
        }

        /// Returns the stored form of the value. Equal values have the same stored form. `encode` is called only
        /// if the form is not known yet, and may run code of the program.
        func encoded(_ value: Value, _ encode: (Value) -> PrefsValue) -> PrefsValue {
            if let known = encoding.withLock({ $0 }) { return known }
            let new = encode(value)
            encoding.withLock { $0 = new }
            return new
        }
    }

    /// The entries, the last used one first.
    private let entries = Lock<[(state: PrefsSnapshot, entry: Entry)]>([])

    /// The entry that was used last, with its snapshot.
    var last: (state: PrefsSnapshot, entry: Entry)? { entries.withLock { $0.first } }

    /// Returns the entry of a snapshot if there is one, and marks it as the last used one.
    func known(_ snapshot: PrefsSnapshot) -> Entry? {
        let (entry, _) = entries.withLock { entries -> (Entry?, replaced: PrefsSnapshot?) in
            guard let index = entries.firstIndex(where: { $0.state.isSameState(as: snapshot) }) else {
                return (nil, nil)
            }
            let (state, entry) = entries.remove(at: index)
            entries.insert((snapshot, entry), at: 0)
            return (entry, state)
        }
        return entry
    }

    /// Returns the entry of a snapshot, or creates it with `decode`, which may run code of the program.
    func entry(of snapshot: PrefsSnapshot, _ decode: () -> Entry) -> Entry {
        if let known = known(snapshot) { return known }
        let entry = decode()
        entries.withLockReleasing { entries in
            let before = entries
            entries = [(snapshot, entry)] + entries.prefix(1)
            return before
        }
        return entry
    }
}

/// A cache of the parts of the value that a configuration decoded last. Only one decoding at a time can use it.
final class RecentParts: Sendable {
    private let parts = Lock(DecodedParts())

    /// Takes the parts out of the cache. Other threads find it empty until ``keep(_:)`` is called.
    func take() -> DecodedParts {
        parts.withLock { parts in
            defer { parts = DecodedParts() }
            return parts
        }
    }

    /// Puts parts into the cache. Releasing the parts that they replace may run code of the program.
    func keep(_ new: DecodedParts) {
        parts.withLockReleasing { parts in
            defer { parts = new }
            return parts
        }
    }
}

extension PrefsSnapshot {
    /// Returns true if two snapshots have the same contents. A candidate has no generation yet, so its sources are
    /// compared. Otherwise, equal generations are enough: the generation stays if a file is replaced with the same
    /// contents, although the sources differ then.
    fileprivate func isSameState(as other: PrefsSnapshot) -> Bool {
        state.rules == other.state.rules
            && (generation == other.generation && generation != 0
                || state.parts.hasSameSources(as: other.state.parts))
    }
}
