import PrefsSystem
import Synchronization

extension PrefsStack {
    /// Returns ``inactiveRevisions``; `nil` as long as the stack has not decided on the contents of a layer.
    ///
    /// - Parameters:
    ///   - contents: The newest contents of a storage.
    ///   - storage: The storage of a layer of this stack, or of an inner stack. For any other storage, the stack
    ///     does not know which contents it has seen, and the result is not `nil`.
    package func inactiveRevisions(
        afterDecidingOn contents: PrefsSnapshot, of storage: any PrefsStorage
    ) -> [InactiveRevision]? {
        hasDecided(on: contents.state.parts.map(\.source), of: storage) == false ? nil : inactiveRevisions
    }

    /// Returns true if the stack has decided on the given sources; `nil` if the storage is not one of its layers.
    private func hasDecided(on sources: [PrefsSource], of storage: any PrefsStorage) -> Bool? {
        if layers.contains(where: { $0.storage === storage }) {
            return engine.state.withLock { $0.hasDecided(on: sources) }
        }
        return layers.lazy.compactMap { $0.stack?.hasDecided(on: sources, of: storage) }.first
    }

    /// Calls a closure whenever the stack has decided on new contents, whether or not any of them take effect.
    package func observeDecisions(_ body: @escaping @Sendable () -> Void) -> PrefsObservation {
        let inner = layers.compactMap { $0.stack?.observeDecisions(body) }
        let number = engine.decisions.add(body)
        return PrefsObservation { [decisions = engine.decisions] in
            decisions.remove(number)
            for observation in inner { observation.cancel() }
        }
    }
}

/// The observers of a stack's decisions.
final class DecisionObservers: Sendable {
    private struct State {
        var count = 0
        var bodies: [Int: @Sendable () -> Void] = [:]
    }

    // Nearly every stack has no observers of decisions. Then a commit does not take the mutex below.
    private let areNone = Atomic(true)
    private let state = Lock(State())

    func add(_ body: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.bodies[state.count] = body
            areNone.store(false, ordering: .releasing)
            return state.count
        }
    }

    func remove(_ number: Int) {
        state.withLockReleasing { state in
            let body = state.bodies.removeValue(forKey: number)
            areNone.store(state.bodies.isEmpty, ordering: .releasing)
            return body
        }
    }

    /// Makes the next reports call the observers.
    func post(to reports: ObserverQueue) {
        if areNone.load(ordering: .acquiring) { return }
        reports.add { [self] in
            let bodies = state.withLock { Array($0.bodies.values) }
            for body in bodies { body() }
        }
    }
}
