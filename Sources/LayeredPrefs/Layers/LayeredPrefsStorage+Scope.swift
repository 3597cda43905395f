public import PrefsDocuments
/// The overrides of the task that is running, by storage.
private enum ScopedOverrides {
    @TaskLocal static var current: [ObjectIdentifier: [PrefsSource]] = [:]
}

extension LayeredPrefsStorage {
    /// Has the task that is running, and its child tasks, read these values above every layer while `body`
    /// runs; for tests, and for requests that are to be treated specially.
    ///
    /// Detached tasks, observers and streams read what the rest of the program reads; nothing is written and
    /// nobody is told. Locks hold here, too. Scopes nest, the inner one above. Reading costs nothing extra
    /// while no scope is open; while one is, nothing read from this storage is kept.
    public func withOverrides<Result>(
        _ values: [String: PrefsValue], _ body: () throws -> Result
    ) rethrows -> Result {
        changes.beginScope()
        defer { changes.endScope() }
        return try ScopedOverrides.$current.withValue(adding(values), operation: body)
    }

    /// The same for an asynchronous `body`.
    public func withOverrides<Result>(
        _ values: [String: PrefsValue],
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        changes.beginScope()
        defer { changes.endScope() }
        return try await ScopedOverrides.$current.withValue(adding(values), operation: body)
    }

    private func adding(_ values: [String: PrefsValue]) -> [ObjectIdentifier: [PrefsSource]] {
        var scopes = ScopedOverrides.current
        scopes[ObjectIdentifier(self), default: []].insert(PrefsSource(values), at: 0)
        return scopes
    }

    /// Whether the running task reads otherwise than the rest of the program.
    var readsInScope: Bool {
        changes.generation == .max && ScopedOverrides.current[ObjectIdentifier(self)] != nil
    }

    /// What the running task reads.
    func scoped(_ snapshot: PrefsSnapshot) -> PrefsSnapshot {
        guard let sources = ScopedOverrides.current[ObjectIdentifier(self)] else { return snapshot }
        let top = (snapshot.state.parts.map(\.height).max() ?? 0) + 1
        let parts = sources.enumerated().map { index, source in
            PrefsSnapshot.Part(source: source, layer: "scope", height: top + sources.count - index)
        }
        return snapshot.with(parts: parts + snapshot.state.parts)
    }
}
