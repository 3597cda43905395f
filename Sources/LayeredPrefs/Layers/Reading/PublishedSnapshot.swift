import PrefsDocuments
import PrefsSystem

/// A stack's published snapshot, with a table of the topmost values read from it.
///
/// Each thread caches the table it used last and comes back here only for a new generation or a new name.
final class PublishedSnapshot: Sendable {
    fileprivate struct State {
        var snapshot: PrefsSnapshot
        var table: TopValueTable
        /// The numbers of the lookups by path, to find the lookups that a change touches.
        var places = KeyTrie<Int>()
    }

    /// The maximum number of lookups. When it is reached, the table is emptied before the next one, because so
    /// many keys are probably generated at run time.
    private static let limit = 1 << 18

    private let state: Lock<State>
    private let number = ThreadCache.Number()

    init(_ snapshot: PrefsSnapshot) {
        state = Lock(State(snapshot: snapshot, table: TopValueTable(generation: snapshot.generation)))
    }

    var snapshot: PrefsSnapshot { state.withLock { $0.snapshot } }

    /// Publishes the next snapshot, whose values differ only at, above and below the dirty paths.
    func replace(with snapshot: PrefsSnapshot, dirty: PathList) {
        // The old state may be large.
        state.withLockReleasing { state in
            let touched = state.places.elements(touchedBy: dirty)
            defer {
                state.snapshot = snapshot
                state.table = state.table.forgetting(touched, generation: snapshot.generation)
            }
            return (state.table, state.snapshot)
        }
    }
}

extension PublishedSnapshot {
    /// Returns the value that this thread has cached for a lookup in a generation.
    func keptValue(of lookup: ValueLookup, at generation: UInt64) -> TopValue {
        guard let table = unsafe ThreadCache.box(for: number, at: generation) else { return .unknown }
        // Borrowed rather than retained: threads that count references to the same table contend for its
        // cache line. Nothing called here can displace this thread's table, and no other thread can.
        return unsafe table._withUnsafeGuaranteedRef {
            unsafe unsafeDowncast($0, to: TopValueTable.self).value(of: lookup)
        }
    }

    /// Looks up a value and caches the table that contains it for this thread.
    ///
    /// - Parameters:
    ///   - paths: The paths whose changes may concern the value.
    ///   - find: Returns the value in a snapshot.
    func value(
        of lookup: ValueLookup, _ paths: [PrefsPath], _ find: (PrefsSnapshot) -> TopValue
    ) -> TopValue {
        let (table, snapshot) = state.withLock { ($0.table, $0.snapshot) }
        var (value, known) = (table.value(of: lookup), table)
        if case .unknown = value {
            value = find(snapshot)
            known = learn(value, of: lookup, paths, at: snapshot.generation) ?? table
        }
        ThreadCache.keep(known, for: number, at: known.generation)
        return value
    }

    private func learn(
        _ value: TopValue, of lookup: ValueLookup, _ paths: [PrefsPath], at generation: UInt64
    ) -> TopValueTable? {
        state.withLock { state in
            // A new generation was published meanwhile, so the value may be out of date.
            guard state.table.generation == generation else { return nil }
            if state.table.names.count == Self.limit { state.forgetNames() }
            state.learn(value, of: lookup, paths)
            return state.table
        }
    }
}

extension PublishedSnapshot.State {
    fileprivate mutating func learn(_ value: TopValue, of lookup: ValueLookup, _ paths: [PrefsPath]) {
        if let number = table.names.number(of: lookup) {
            table = table.learning(value, for: number)
            return
        }
        let names = table.names.count == table.names.capacity ? table.names.grown() : table.names
        let number = names.add(lookup)
        table = table.learning(value, for: number, names: names)
        places.add(number, at: paths)
    }

    fileprivate mutating func forgetNames() {
        table = TopValueTable(generation: table.generation)
        places = KeyTrie()
    }
}
