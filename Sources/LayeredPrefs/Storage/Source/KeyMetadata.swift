import PrefsDocuments

/// Declared key metadata, secrecy and the need for a restart, for code that knows keys only by name.
struct KeyMetadata: Sendable {
    /// The paths of secret keys, whose values are printed, logged and exported only on request.
    private(set) var secrets: Set<PrefsPath> = []
    private var restarts: Set<PrefsPath> = []

    mutating func note(_ name: PrefsKeyName) {
        if name.isSecret { secrets.formUnion(name.paths) }
    }

    mutating func markNeedsRestart(_ name: PrefsKeyName) { restarts.formUnion(name.paths) }

    /// Returns true if the value at a path is a secret, part of a secret, or a dictionary that contains one.
    func isSecret(_ path: PrefsPath) -> Bool {
        secrets.contains { $0.contains(path) || path.contains($0) }
    }

    /// Returns true if a change at a path takes effect only after a restart.
    func needsRestart(_ path: PrefsPath) -> Bool { restarts.contains { $0.contains(path) } }
}
