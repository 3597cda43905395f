/// Since which generation each source of a stack says what it says.
struct SourceGenerations: Sendable {
    private struct Name: Hashable {
        let layer: String?
        let file: String?
    }

    private struct Known {
        let name: Name
        var source: ObjectIdentifier
        var generation: UInt64
    }

    private var known: [Known] = []

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
        let names = parts.map { Name(layer: $0.layer, file: $0.source.file) }
        if !names.elementsEqual(known, by: { $0 == $1.name }) {
            let before = known
            known = zip(names, parts).map { name, part in
                before.first { $0.name == name }
                    ?? Known(name: name, source: ObjectIdentifier(part.source), generation: generation(0))
            }
        }
        for (index, part) in parts.enumerated() where known[index].source != ObjectIdentifier(part.source) {
            known[index].source = ObjectIdentifier(part.source)
            known[index].generation = generation(known[index].generation)
        }
    }

    /// The generation of a source's contents; `nil` for what holds no values, such as a file of locks.
    func generation(of status: PrefsSourceStatus) -> UInt64? {
        let name = Name(layer: status.layer, file: status.file)
        return known.first { $0.name == name }?.generation
    }
}
