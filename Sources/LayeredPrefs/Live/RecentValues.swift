import PrefsDocuments
import PrefsSystem

/// The values that a configuration has in the two states of its stack that were asked for last, decoded once: those who
/// check an edit, publish it and observe it ask for the same ones.
final class RecentValues<Value: Sendable>: Sendable {
    /// The value in one state.
    final class Entry: Sendable {
        private let snapshot: Lock<PrefsSnapshot>
        /// The stored form of what the layers give.
        let stored: PrefsValue
        let value: Result<Value, PrefsError>
        private let encoding = Lock<PrefsValue?>(nil)

        init(_ snapshot: PrefsSnapshot, _ stored: PrefsValue, _ value: Result<Value, PrefsError>) {
            self.snapshot = Lock(snapshot)
            (self.stored, self.value) = (stored, value)
        }

        /// Returns true if this is the value of a state. A candidate has no generation yet; that in which it is published
        /// stays if a file is replaced with the same contents.
        fileprivate func isValue(in other: PrefsSnapshot) -> Bool {
            let (isSame, _) = snapshot.withLock { own -> (Bool, PrefsSnapshot) in
                let before = own
                if own.state.rules == other.state.rules, own.generation == other.generation,
                    own.generation != 0
                {
                    return (true, before)
                }
                guard own.hasSameSources(as: other) else { return (false, before) }
                own = other
                return (true, before)
            }
            return isSame
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
    private let entries = Lock<[Entry]>([])

    /// Returns what is known of a state, which is then the one that was asked for last.
    func known(_ snapshot: PrefsSnapshot) -> Entry? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.isValue(in: snapshot) }) else { return nil }
            entries.swapAt(0, index)
            return entries[0]
        }
    }

    /// Returns what is known of a state, or else what `decode` returns, which may run code of the program.
    func entry(of snapshot: PrefsSnapshot, _ decode: () -> Entry) -> Entry {
        if let known = known(snapshot) { return known }
        let entry = decode()
        entries.withLockReleasing { entries in
            let before = entries
            entries = [entry] + entries.prefix(1)
            return before
        }
        return entry
    }
}
