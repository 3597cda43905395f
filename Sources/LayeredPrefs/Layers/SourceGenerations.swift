/// Since which generation each source of a stack says what it says.
struct SourceGenerations: Sendable {
    private struct Name: Hashable {
        let layer: String?
        let file: String?
    }

    private var known: [Name: (source: ObjectIdentifier, generation: UInt64)] = [:]

    /// Takes note of a commit: what was read anew since the last one says so from this generation on.
    mutating func note(_ parts: [PrefsSnapshot.Part], at generation: UInt64) {
        update(parts) { _ in generation }
    }

    /// Takes note of equal content that was read anew.
    mutating func renew(_ parts: [PrefsSnapshot.Part]) {
        update(parts) { $0 }
    }

    private mutating func update(
        _ parts: [PrefsSnapshot.Part], _ generation: (_ before: UInt64) -> UInt64
    ) {
        var next: [Name: (source: ObjectIdentifier, generation: UInt64)] = [:]
        for part in parts {
            let name = Name(layer: part.layer, file: part.source.file)
            let source = ObjectIdentifier(part.source)
            let before = known[name]
            let isSame = before?.source == source
            next[name] = (source, isSame ? before?.generation ?? 0 : generation(before?.generation ?? 0))
        }
        known = next
    }

    /// The generation of a source's contents; `nil` for what holds no values, such as a file of locks.
    func generation(of status: PrefsSourceStatus) -> UInt64? {
        known[Name(layer: status.layer, file: status.file)]?.generation
    }
}
