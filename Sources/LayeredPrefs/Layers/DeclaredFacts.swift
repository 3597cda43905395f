import PrefsSystem
import PrefsDocuments

/// What schemas declare of keys beside their names, for whatever knows keys only by name.
struct DeclaredFacts: Sendable {
    /// Keys whose values are printed, logged and exported only where that is asked for.
    private(set) var secrets: Set<PrefsPath> = []
    private var restarts: Set<PrefsPath> = []

    mutating func note(_ name: PrefsKeyName) {
        if name.isSecret { secrets.formUnion(name.paths) }
    }

    mutating func noteRestart(_ name: PrefsKeyName) { restarts.formUnion(name.paths) }

    /// Whether a value at a path is a secret, part of one, or holds one.
    func isSecret(_ path: PrefsPath) -> Bool {
        secrets.contains { $0.contains(path) || path.contains($0) }
    }

    /// Whether a change at a path takes effect only after a restart.
    func needsRestart(_ path: PrefsPath) -> Bool { restarts.contains { $0.contains(path) } }
}

extension PrefsSnapshot {
    /// What is in force without the secrets.
    func dictionary(without secrets: Set<PrefsPath>) -> [String: PrefsValue] {
        var content = PrefsValue.dictionary(dictionary)
        for secret in secrets {
            content.remove(at: [secret.name])
            content.remove(at: secret.components[...])
        }
        return content.dictionary ?? [:]
    }
}

extension LayeredPrefsStorage {
    /// What is declared of the keys of this stack.
    var facts: DeclaredFacts { committing.withLock { $0.known.facts } }
}
