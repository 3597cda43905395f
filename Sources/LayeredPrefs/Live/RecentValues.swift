import PrefsSystem

/// The values that a configuration has in the newest two states of its stack, decoded once: those who check an edit,
/// publish it and observe it ask for the same ones.
final class RecentValues<Value: Sendable>: Sendable {
    private struct Entry {
        let snapshot: PrefsSnapshot
        let value: Result<Value, PrefsError>
    }

    private let entries = Lock<[Entry]>([])

    /// Returns the value in a snapshot, which `decode` returns unless it is known. That may run code of the program.
    func value(
        in snapshot: PrefsSnapshot, _ decode: () -> Result<Value, PrefsError>
    ) -> Result<Value, PrefsError> {
        let known = entries.withLock { entries in
            entries.first { $0.snapshot.hasSameSources(as: snapshot) }?.value
        }
        if let known { return known }
        let value = decode()
        entries.withLockReleasing { entries in
            let before = entries
            entries = [Entry(snapshot: snapshot, value: value)] + entries.prefix(1)
            return before
        }
        return value
    }
}
