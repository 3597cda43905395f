public import PrefsDocuments

/// The scoped overrides of the current task, by storage.
private enum ScopedOverrides {
    @TaskLocal static var current: [ObjectIdentifier: [PrefsSource]] = [:]
}

extension LayeredPrefsStorage {
    /// Overrides values above every layer for the current task and its child tasks while `body` runs.
    ///
    /// This is meant for tests and for requests that need special settings. Detached tasks, observers and
    /// streams are unaffected; nothing is written and no observer is notified. Locks apply to these values
    /// too. Scopes nest, and the inner one wins. Reads cost nothing extra while no scope is open; while one
    /// is open, no thread caches values read from this storage.
    ///
    /// ```swift
    /// storage.withOverrides(["http.port": 1]) {
    ///     storage.get(.port)  // 1, whatever the layers contain, unless `http.port` is locked
    /// }
    /// ```
    public func withOverrides<Result>(
        _ values: [String: PrefsValue], _ body: () throws -> Result
    ) rethrows -> Result {
        changes.beginScope()
        defer { changes.endScope() }
        return try ScopedOverrides.$current.withValue(adding(values), operation: body)
    }

    /// Overrides values for the current task and its child tasks while an asynchronous `body` runs.
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
        scopes[ObjectIdentifier(self), default: []].insert(PrefsSource(.value(.dictionary(values))), at: 0)
        return scopes
    }

    /// True if the current task has overrides for this storage.
    var readsInScope: Bool {
        changes.generation == .max && ScopedOverrides.current[ObjectIdentifier(self)] != nil
    }

    /// Returns the snapshot with the current task's overrides above its parts, and a generation of its own, so that no cache
    /// takes its values for those of the stack.
    func scoped(_ snapshot: PrefsSnapshot) -> PrefsSnapshot {
        guard let sources = ScopedOverrides.current[ObjectIdentifier(self)] else { return snapshot }
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
