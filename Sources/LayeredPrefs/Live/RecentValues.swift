import PrefsDocuments
import PrefsSystem

/// The values that a configuration has in the two states of its stack that were asked for last, decoded once: those who
/// check an edit, publish it and observe it ask for the same ones.
final class RecentValues<Value: Sendable>: Sendable {
    /// The value in one state.
    final class Entry: Sendable {
        /// The stored form of what the layers give.
        let stored: PrefsValue
        let value: Result<Value, PrefsError>
        private let encoding = Lock<PrefsValue?>(nil)

        init(_ stored: PrefsValue, _ value: Result<Value, PrefsError>) {
            (self.stored, self.value) = (stored, value)
        }

        /// Returns the stored form of the value, in which equal values are spelled alike, and which `encode` returns unless
        /// it is known. That may run code of the program.
        func encoded(_ value: Value, _ encode: (Value) -> PrefsValue) -> PrefsValue {
            if let known = encoding.withLock({ $0 }) { return known }
            let new = encode(value)
            encoding.withLock { $0 = new }
            return new
        }
    }

    /// The one that was asked for last comes first.
    private let entries = Lock<[(state: PrefsSnapshot, entry: Entry)]>([])

    /// The state that was asked for last, and what is known of it.
    var last: (state: PrefsSnapshot, entry: Entry)? { entries.withLock { $0.first } }

    /// Returns what is known of a state, which is then the one that was asked for last.
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

    /// Returns what is known of a state, or else what `decode` returns, which may run code of the program.
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

/// The parts of the value that a configuration has decoded last, for one decoding at a time.
final class RecentParts: Sendable {
    private let parts = Lock(DecodedParts())

    /// Returns the parts, which nobody else gets until they are kept again.
    func take() -> DecodedParts {
        parts.withLock { parts in
            defer { parts = DecodedParts() }
            return parts
        }
    }

    /// Keeps the parts, which may run code of the program when others are released.
    func keep(_ new: DecodedParts) {
        parts.withLockReleasing { parts in
            defer { parts = new }
            return parts
        }
    }
}

extension PrefsSnapshot {
    /// Returns true if both have the same contents. A candidate has no generation yet; that in which it is published stays if
    /// a file is replaced with the same contents.
    fileprivate func isSameState(as other: PrefsSnapshot) -> Bool {
        state.rules == other.state.rules
            && (generation == other.generation && generation != 0
                || state.parts.hasSameSources(as: other.state.parts))
    }
}
