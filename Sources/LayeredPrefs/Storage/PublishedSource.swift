import FileWatching

/// The state that every one-source storage shares: the version in force and who is told of the next.
struct PublishedSource: ~Copyable {
    private let source: Lock<PrefsSource>
    let changes = PrefsChangeSource()

    init(_ source: PrefsSource) {
        self.source = Lock(source)
    }

    var value: PrefsSource { source.withLock { $0 } }

    func snapshot(keysAreLiteral: Bool = false) -> PrefsSnapshot {
        PrefsSnapshot(
            generation: changes.generation, parts: [PrefsSnapshot.Part(source: value)],
            keysAreLiteral: keysAreLiteral)
    }

    /// Puts a new version in force without telling anybody; `changes.advance()`, with no lock held, does.
    func replace(_ next: PrefsSource) {
        source.withLock { $0 = next }
    }

    /// Derives the next version from the present one, one caller at a time; `nil` changes nothing.
    func update(_ next: (PrefsSource) throws -> PrefsSource?) rethrows {
        let changed = try source.withLock { source in
            guard let next = try next(source) else { return false }
            source = next
            return true
        }
        if changed { changes.advance() }
    }
}
