import PrefsDocuments

/// Declared key metadata, secrecy and the need for a restart, for code that knows keys only by name.
struct KeyMetadata: Sendable {
    /// The paths of secret keys, whose values are printed, logged and exported only on request.
    private(set) var secrets = SecretPaths()
    private var restarts: Set<PrefsPath> = []

    mutating func note(_ name: PrefsKeyName) { secrets.insert(name) }

    mutating func markNeedsRestart(_ name: PrefsKeyName) { restarts.formUnion(name.paths) }

    /// Returns true if a change at a path takes effect only after a restart.
    func needsRestart(_ path: PrefsPath) -> Bool { restarts.contains { $0.contains(path) } }
}
