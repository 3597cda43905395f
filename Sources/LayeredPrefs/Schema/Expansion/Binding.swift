import PrefsDocuments
import PrefsSystem

/// A schema instance's tie to its storage.
final class Binding: Sendable {
    /// Where a schema's values are.
    struct Place: Sendable {
        var storage: any PrefsStorage
        var mode: PrefsStorageMode
        /// The dotted path before every key's name.
        var path: String
    }

    private struct State {
        var place: Place?
        /// The state that observers were last told of; what an isolated schema shows.
        var told = PrefsSnapshot()
        var tell: PrefsExpansion.Callback?
        var observation: PrefsObservation?
        /// Readers hold the bare address of a source, so none is let go before the schema is.
        var sources: [PrefsChangeSource] = []
        var groups: [PrefsExpansion.GroupPlace] = []
        var paths: PropertyPaths?
    }

    private let state = Lock(State())
    /// Counts the states that an isolated schema took over.
    private let visible = PrefsChangeSource()
    /// Held while a cell is filled, so that an older value never follows a newer one.
    let filling = Lock(())

    var place: Place? { state.withLock { $0.place } }

    /// Observes a storage, and returns what numbers the states the schema shows.
    ///
    /// - Returns: `nil` where no value may be kept.
    func bind(to place: Place, tell: PrefsExpansion.Callback) -> PrefsChangeSource? {
        let source = place.storage.changeSource
        // Observed before the first state is read, so that no change falls between.
        let observation = source?.observe { tell.callInIsolation() }
        let (replaced, groups) = state.withLock { state in
            // On an exchange what was told stays, so that what differs in the new storage is told next.
            if state.place == nil { state.told = place.storage.snapshot }
            state.place = place
            state.tell = tell
            if let source { state.sources.append(source) }
            defer { state.observation = observation }
            return (state.observation, state.groups)
        }
        replaced?.cancel()
        for group in groups { group.move(to: place) }
        guard let source, source.isExact || place.mode == .cachedReadStorageWrite else { return nil }
        return tell.isIsolated ? visible : source
    }

    /// The state last told of, and the present one, which for a schema isolated to no actor counts as told.
    func nextState() -> (place: Place, old: PrefsSnapshot, new: PrefsSnapshot)? {
        state.withLock { state in
            guard let place = state.place, let tell = state.tell else { return nil }
            let old = state.told
            // Read under the lock, so that of two commits on two threads the later is the last told.
            let new = place.storage.snapshot
            if !tell.isIsolated { state.told = new }
            return (place, old, new)
        }
    }

    /// Where the values of the schema's properties may be: always the same, since a path is never exchanged.
    func paths(_ make: () -> [[PrefsPath]]) -> PropertyPaths {
        if let paths = state.withLock({ $0.paths }) { return paths }
        let paths = PropertyPaths(make())
        state.withLock { $0.paths = paths }
        return paths
    }

    /// Shows a state from now on, where the schema is isolated to an actor.
    func takeOver(_ new: PrefsSnapshot) {
        let advances = state.withLock { state in
            guard state.tell?.isIsolated == true else { return false }
            state.told = new
            return true
        }
        if advances { visible.advance() }
    }

    /// After a write on the isolating actor: it is to be seen at once.
    func tellIfIsolated() {
        let tell = state.withLock { $0.tell }
        if let tell, tell.isIsolated { tell.call() }
    }

    func candidates(for key: some PersistentKeyProtocol) -> [PrefsCandidate] {
        let (storage, told) = state.withLock { state in
            let storage = state.place?.storage
            let showsTold = state.tell?.isIsolated == true && storage?.changeSource != nil
            return (storage, showsTold ? state.told : nil)
        }
        // A stack's locks within a dictionary have to know the type.
        let snapshot = told ?? (storage?.innermost as? LayeredPrefsStorage)?.snapshot
        if let snapshot { return snapshot.candidates(for: key.name, typed: key.typing) }
        return storage?.candidates(for: key.name) ?? []
    }

    /// Has a group follow when the storage or mode is exchanged.
    func add(_ group: PrefsExpansion.GroupPlace) {
        let place = state.withLock { state in
            state.groups.append(group)
            return state.place
        }
        if let place { group.move(to: place) }
    }
}

extension Binding.Place {
    /// Has a stack check and report the values of these keys, and the keys that are none of these.
    func declare(_ keys: [PrefsKeyDescription]) {
        let innermost = (storage as? AnyPrefsStorage)?.wrapped ?? storage
        guard let stack = innermost as? LayeredPrefsStorage, !keys.isEmpty else { return }
        stack.declare(keys.map(\.names))
        for key in keys { key.declare(stack, key.path) }
    }
}
