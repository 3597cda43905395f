import PrefsSystem
import PrefsDocuments

extension PrefsStack {
    /// Records the fields of the struct that a key holds, so that misspelled fields are reported as unknown.
    func note(fields names: [PrefsKeyName], of key: String) {
        if names.isEmpty { return }
        engine.state.withLock { $0.composition.known.insert(fields: names, of: key) }
    }

    /// Records the fields of the structs in arrays, so that misspelled fields are reported as unknown.
    func note(_ elements: [ElementFields]) {
        if elements.isEmpty { return }
        engine.state.withLock { state in
            for element in elements { state.composition.known.insert(element) }
        }
    }

    /// Returns the secrets in a snapshot, including secrets that were declared after the snapshot was made.
    func secrets(in snapshot: PrefsSnapshot) -> SecretPaths {
        var secrets = snapshot.secrets
        secrets.formUnion(engine.state.withLock { $0.composition.known.secrets })
        return secrets
    }

    /// Records keys with all their names, so that key locks and environment variables apply to each name.
    package func note(_ names: [PrefsKeyName]) {
        let (errors, didChange) = engine.state.withLock { state in
            let count = state.composition.known.names.count
            let parts = committedSnapshot.state.parts
            let prefixes = Set(parts.compactMap { $0.source.contents.variablePrefix })
            let errors = names.flatMap { state.composition.known.insert($0, prefixes: prefixes) }
            return (errors, state.composition.known.names.count > count)
        }
        for error in errors { diagnostics.report(.error, error) }
        if didChange { tryCommit() }
    }
}
