import PrefsDocuments
import PrefsSystem

/// The state of a stack that is in force, and the topmost values that were read of it.
///
/// Every thread keeps the table of values it read last, and comes here when the generation has moved on or a
/// name is new.
final class PublishedSnapshot: Sendable {
    fileprivate struct State {
        var snapshot: PrefsSnapshot
        var table: TopValueTable
        /// The numbers of names by path, to find those that a change touches.
        var places = ObserverTable<Int>()
        var count = 0
    }

    /// Beyond this many names — keys made up at run time, most likely — the table begins anew.
    private static let limit = 1 << 18

    private let state: Lock<State>
    private let number = ThreadCache.Number()

    init(_ snapshot: PrefsSnapshot) {
        state = Lock(State(snapshot: snapshot, table: TopValueTable(generation: snapshot.generation)))
    }

    var snapshot: PrefsSnapshot { state.withLock { $0.snapshot } }

    /// Puts the next state in force, in which every value is as it was but at, above and beneath some paths.
    func replace(with snapshot: PrefsSnapshot, dirty: Set<PrefsPath>) {
        let old = state.withLock { state in
            let touched = state.places.observers(of: dirty)
            defer {
                state.snapshot = snapshot
                state.table = state.table.forgetting(touched, generation: snapshot.generation)
            }
            return (state.table, state.snapshot)
        }
        // Released outside the lock, since it may be large.
        _ = old
    }
}

extension PublishedSnapshot {
    /// What this thread keeps of a name at a generation.
    func keptValue(of name: String, at generation: UInt64) -> TopValue {
        guard let table = unsafe ThreadCache.box(for: number, at: generation) else { return .unknown }
        // Borrowed, because two threads that counted references to one table would wait for each other. Nothing
        // is called here that could displace the table on this thread, and no other thread can.
        return unsafe table._withUnsafeGuaranteedRef {
            unsafe unsafeDowncast($0, to: TopValueTable.self).value(of: name)
        }
    }

    /// Looks a name up, and has this thread keep it.
    func value(of name: String) -> TopValue {
        let (table, snapshot) = state.withLock { ($0.table, $0.snapshot) }
        var (value, known) = (table.value(of: name), table)
        if case .unknown = value {
            value = snapshot.topValue(forKey: name)
            known = learn(value, of: name, at: snapshot.generation) ?? table
        }
        ThreadCache.keep(known, for: number, at: known.generation)
        return value
    }

    private func learn(_ value: TopValue, of name: String, at generation: UInt64) -> TopValueTable? {
        state.withLock { state in
            // Whoever comes late learns nothing: the value may be another one by now.
            guard state.table.generation == generation else { return nil }
            if state.count == Self.limit { state.forgetNames() }
            state.learn(value, of: name)
            return state.table
        }
    }
}

extension PublishedSnapshot.State {
    fileprivate mutating func learn(_ value: TopValue, of name: String) {
        if let number = table.names.number(of: name) {
            table = table.learning(value, for: number)
            return
        }
        let names = count == table.names.capacity ? table.names.grown() : table.names
        let number = names.add(name)
        table = table.learning(value, for: number, names: names)
        _ = places.add(number, at: [PrefsPath(name)])
        count += 1
    }

    fileprivate mutating func forgetNames() {
        table = TopValueTable(generation: table.generation)
        places = ObserverTable()
        count = 0
    }
}
