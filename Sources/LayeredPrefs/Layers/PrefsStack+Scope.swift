public import PrefsDocuments
import Synchronization

/// The overrides of a scope. A task that was created in the scope, and outlives it, still has them.
private final class ScopedOverrides: Sendable {
    /// The overrides of the current task, by storage, the innermost first.
    @TaskLocal static var current: [ObjectIdentifier: [ScopedOverrides]] = [:]

    let source: PrefsSource
    private let hasEnded = Atomic(false)

    init(_ values: [String: PrefsValue]) { source = PrefsSource(.value(.dictionary(values))) }

    /// Returns the current task's overrides of a storage, without scopes that have ended.
    static func sources(for storage: PrefsStack) -> [PrefsSource] {
        current[ObjectIdentifier(storage), default: []].lazy
            .filter { !$0.hasEnded.load(ordering: .acquiring) }.map(\.source)
    }

    func end() { hasEnded.store(true, ordering: .releasing) }
}

extension PrefsStack {
    /// Overrides values above every layer, for the current task and its child tasks, while `body` runs.
    ///
    /// Use this in tests, and for requests that need special settings. For example:
    ///
    /// ```swift
    /// storage.withOverrides(["http.port": 1]) {
    ///     storage.get(.port)  // 1, whatever the layers contain, unless `http.port` is locked
    /// }
    /// ```
    ///
    /// Nothing is written, and no observer is notified. Detached tasks, observers and streams do not see the
    /// overrides, and neither does a task that outlives `body`, once `body` has returned. Locks apply to these
    /// values, too. Scopes nest, and the inner scope wins.
    ///
    /// Reads cost nothing extra while no scope is open. While a scope is open, no thread caches values that it
    /// reads from this storage.
    public func withOverrides<Result>(
        _ values: [String: PrefsValue], _ body: () throws -> Result
    ) rethrows -> Result {
        let scope = beginScope(values)
        defer { end(scope) }
        return try ScopedOverrides.$current.withValue(adding(scope), operation: body)
    }

    /// Overrides values for the current task and its child tasks while an asynchronous `body` runs.
    ///
    /// See ``withOverrides(_:_:)``.
    public func withOverrides<Result>(
        _ values: [String: PrefsValue],
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let scope = beginScope(values)
        defer { end(scope) }
        return try await ScopedOverrides.$current.withValue(adding(scope), operation: body)
    }

    private func beginScope(_ values: [String: PrefsValue]) -> ScopedOverrides {
        changes.beginScope()
        return ScopedOverrides(values)
    }

    private func end(_ scope: ScopedOverrides) {
        scope.end()
        changes.endScope()
    }

    private func adding(_ scope: ScopedOverrides) -> [ObjectIdentifier: [ScopedOverrides]] {
        var scopes = ScopedOverrides.current
        scopes[ObjectIdentifier(self), default: []].insert(scope, at: 0)
        return scopes
    }

    /// True if the current task has overrides for this storage.
    var readsInScope: Bool {
        changes.generation == .max && !ScopedOverrides.sources(for: self).isEmpty
    }

    /// Returns the snapshot with the current task's overrides above its parts. The result has a generation of its
    /// own, so that no cache mistakes its values for the stack's values.
    func scoped(_ snapshot: PrefsSnapshot) -> PrefsSnapshot {
        let sources = ScopedOverrides.sources(for: self)
        if sources.isEmpty { return snapshot }
        let top = snapshot.state.parts.height + 1
        let parts = sources.enumerated().map { index, source in
            PrefsSnapshot.Part(source: source, layer: "scope", height: top + sources.count - index)
        }
        return snapshot.with { state in
            state.generation = PrefsChangeSource.nextGeneration()
            state.parts = PrefsSnapshot.Parts(groups: [PrefsSnapshot.Parts.Group(parts)] + state.parts.groups)
        }
    }
}
