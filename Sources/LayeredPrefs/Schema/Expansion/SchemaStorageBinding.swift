#if Macros
    import PrefsDocuments
    import PrefsSystem

    /// The connection between a schema instance and its storage.
    final class SchemaStorageBinding: Sendable {
        /// The location of a schema's values.
        struct Location: Sendable {
            var storage: any PrefsStorage
            /// False if a decoded value may only be cached if the storage is known to report every change.
            var cachesValues: Bool
            /// The dotted path that precedes every key's name.
            var path: String
        }

        private struct State {
            var location: Location?
            /// The number of bindings that have begun.
            var bindings: UInt64 = 0
            /// The number of the binding in effect. A binding with a larger number looked at the schema's storage
            /// later.
            var boundNumber: UInt64 = 0
            /// The last state that all observers were notified of. An isolated schema shows this state.
            var received = PrefsSnapshot()
            /// The number of that state. The reading of a state with a larger number began later.
            var receivedNumber: UInt64 = 0
            /// The number of readings so far.
            var readings: UInt64 = 0
            /// The states that threads are notifying observers of.
            var underWay: [(thread: UInt, number: UInt64, snapshot: PrefsSnapshot)] = []
            var notifyObservers: PrefsExpansion.Callback?
            var observation: PrefsObservation?
            /// Readers hold the bare address of a source, so none is released before the schema is.
            var sources: [PrefsChangeSource] = []
            var groups: [PrefsExpansion.GroupLocation] = []
            /// The properties' numbers, at the paths where their values may be stored.
            var properties: KeyTrie<Int>?
            /// The values read from snapshots, once there was a snapshot.
            var snapshotReads: PrefsExpansion.SnapshotReads?
        }

        private let state = Lock(State())
        /// Counts the states that an isolated schema has adopted.
        private let visible = PrefsChangeSource()
        /// Held while a cache is filled, so that an older value never replaces a newer one.
        let filling = Lock(())

        var location: Location? { state.withLock { $0.location } }

        /// Returns the location, and the generation of the state that the schema shows.
        func location(_ generation: () -> UInt64) -> (Location, UInt64)? {
            state.withLock { state in state.location.map { ($0, generation()) } }
        }

        /// True if the storage reports its changes.
        var isNotified: Bool { state.withLock { $0.observation != nil } }

        /// Returns the number of a new binding. Call it before you look at the schema's storage.
        func beginBinding() -> UInt64 {
            state.withLock { state in
                state.bindings += 1
                return state.bindings
            }
        }

        /// Starts to observe a storage instead of the previous one. Does nothing if another thread has bound the
        /// schema to a newer storage.
        ///
        /// - Parameter setClock: Called, together with the replacement, with the change source that counts the states the
        ///   schema shows, or `nil` if no value may be cached.
        /// - Returns: False if another thread has bound the schema to a newer storage.
        func bind(
            _ number: UInt64, to location: Location, notifyObservers: PrefsExpansion.Callback,
            setClock: (PrefsChangeSource?) -> Void
        ) -> Bool {
            let source = location.storage.changeSource
            let mayCache = source.map { $0.isExact || location.cachesValues } ?? false
            // Observe before reading the first state, so that no change is missed in between. A storage without a
            // change source may still report the changes that it learns of, as `UserDefaults` does.
            let notify = { @Sendable in notifyObservers.callInIsolation() }
            let observation =
                source?.observe(notify) ?? location.storage._registerObserver(under: "", notify)
            let first = self.location == nil ? location.storage.snapshot : nil
            let (before, replaced) = state.withLock { state in
                if number < state.boundNumber { return (nil as Location?, nil as PrefsObservation?) }
                state.boundNumber = number
                // When the storage is replaced, the state keeps the old storage's state, so that the next
                // notification covers everything that differs in the new storage.
                if state.location == nil, let first { state.received = first }
                state.notifyObservers = notifyObservers
                if let source { state.sources.append(source) }
                setClock(mayCache ? (notifyObservers.isIsolated ? visible : source) : nil)
                defer { (state.location, state.observation) = (location, observation) }
                return (state.location, state.observation)
            }
            // The old storage is released outside the mutex, because that may run code of the program, which may use
            // the schema.
            _ = before
            replaced?.cancel()
            return moveGroups(from: number)
        }

        /// Makes the groups follow a binding, and the bindings of other threads that take effect in the meantime.
        ///
        /// - Returns: False if the binding is not in effect.
        private func moveGroups(from number: UInt64) -> Bool {
            var moved: UInt64 = 0
            while true {
                let (location, groups, bound) = state.withLock { ($0.location, $0.groups, $0.boundNumber) }
                guard let location, bound > moved else { return bound == number }
                for group in groups { group.move(to: location) }
                moved = bound
            }
        }

        /// A state that observers must be notified of.
        struct NextState {
            let location: Location
            let old: PrefsSnapshot
            let new: PrefsSnapshot
            fileprivate let number: UInt64
        }

        /// Returns the current state, and the state that observers were last notified of. The caller then notifies
        /// them, and calls ``end(_:)``.
        ///
        /// If another thread is notifying observers of a state, that state does not count, because the thread may
        /// not have called them yet when this thread returns. So an observer may be notified twice.
        func nextState() -> NextState? {
            let reading = state.withLock { state -> (location: Location, number: UInt64)? in
                guard let location = state.location, state.notifyObservers != nil else { return nil }
                state.readings += 1
                return (location, state.readings)
            }
            guard let (location, number) = reading else { return nil }
            // Read without the mutex, because a storage may run the program's code.
            let new = location.storage.snapshot
            let thread = BackgroundThread.current
            return state.withLock { state in
                // A reading that began later shows everything that this reading shows.
                if number < state.receivedNumber { return nil }
                let own = state.underWay.last { $0.thread == thread }?.snapshot
                if state.notifyObservers?.isIsolated != true { state.underWay.append((thread, number, new)) }
                return NextState(location: location, old: own ?? state.received, new: new, number: number)
            }
        }

        /// Ends a notification. In a nonisolated schema, its state counts as notified from now on. An isolated
        /// schema has already adopted it with ``adopt(_:)``.
        func end(_ next: NextState) {
            state.withLock { state in
                guard let index = state.underWay.lastIndex(where: { $0.number == next.number }) else {
                    return
                }
                state.underWay.remove(at: index)
                if next.number > state.receivedNumber {
                    (state.received, state.receivedNumber) = (next.new, next.number)
                }
            }
        }

        /// Returns the numbers of the schema's properties by path.
        ///
        /// - Parameter paths: Returns each property's paths. Called once: a schema's path never changes.
        func properties(at paths: () -> [[PrefsPath]]) -> KeyTrie<Int> {
            if let properties = state.withLock({ $0.properties }) { return properties }
            var properties = KeyTrie<Int>()
            for (number, paths) in paths().enumerated() { properties.add(number, at: paths) }
            state.withLock { [properties] in $0.properties = properties }
            return properties
        }

        var snapshotReads: PrefsExpansion.SnapshotReads? { state.withLock { $0.snapshotReads } }

        /// Keeps the values read from snapshots, unless another thread has kept some. Returns the kept values.
        func keepSnapshotReads(_ reads: PrefsExpansion.SnapshotReads) -> PrefsExpansion.SnapshotReads {
            state.withLock { state in
                let kept = state.snapshotReads ?? reads
                state.snapshotReads = kept
                return kept
            }
        }

        /// Makes a schema that is isolated to an actor show a new state. Does nothing for a nonisolated schema.
        func adopt(_ new: PrefsSnapshot) {
            let advances = state.withLock { state in
                guard state.notifyObservers?.isIsolated == true else { return false }
                state.received = new
                return true
            }
            if advances { visible.advance() }
        }

        /// Notifies the observers of an isolated schema immediately, so that a write on its actor is visible when
        /// it returns.
        func notifyIfIsolated() {
            let notifyObservers = state.withLock { $0.notifyObservers }
            if let notifyObservers, notifyObservers.isIsolated { notifyObservers.call() }
        }

        func candidates(for key: PersistentKey<some Sendable>) -> [PrefsCandidate] {
            let (storage, received) = state.withLock { state in
                let storage = state.location?.storage
                let showsReported = state.notifyObservers?.isIsolated == true && storage?.changeSource != nil
                return (storage, showsReported ? state.received : nil)
            }
            // To apply locks on parts of a dictionary, a stack has to know the key's type. With `merged.b` locked
            // by the vendor's `["a": 1, "b": 2]`, a deeply merged key reads the user's `["b": 20, "c": 30]` as
            // `["a": 1, "b": 2, "c": 30]`.
            let stack = storage?._capabilities.storage as? PrefsStack
            stack?.noteRead(of: key)
            let snapshot = received ?? stack?.snapshot
            if let snapshot { return snapshot.candidates(for: key.name, typed: key.typing) }
            return storage?._candidates(for: key) ?? []
        }

        /// Adds a group, which follows every replacement of the storage.
        func add(_ group: PrefsExpansion.GroupLocation) {
            let location = state.withLock { state in
                state.groups.append(group)
                return state.location
            }
            if let location { group.move(to: location) }
        }
    }

    extension SchemaStorageBinding.Location {
        /// Declares the keys to a stack, which from then on checks their values and reports unknown keys.
        func declare(_ keys: [PrefsKeyDescription]) {
            guard let stack = storage._capabilities.storage as? PrefsStack, !keys.isEmpty else { return }
            stack.declare(keys)
        }
    }
#endif
