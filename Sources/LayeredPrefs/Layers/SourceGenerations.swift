/// The generation in which the contents of each of a stack's sources last changed.
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

    /// Records a commit: every source replaced since the previous commit gets this generation.
    mutating func note(_ parts: [PrefsSnapshot.Part], at generation: UInt64) {
        update(parts) { _ in generation }
    }

    /// Records sources that were reloaded with equal content; they keep their generations.
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

    /// Returns the generation of a source's contents; `nil` if it has no values, like a locks file.
    func generation(of status: PrefsSourceStatus) -> UInt64? {
        let name = Name(layer: status.layer, file: status.file)
        return known.first { $0.name == name }?.generation
    }
}
