import PrefsDocuments

/// The generation in which the contents of each of a stack's sources last changed.
struct SourceGenerations: Sendable {
    private struct Name: Hashable {
        let layer: String?
        /// The path as bytes, because two files may have names that are equal as strings.
        let file: [UInt8]?

        init(layer: String?, file: String?) {
            self.layer = layer
            self.file = file.map { Array($0.utf8) }
        }
    }

    private struct Known {
        let source: ObjectIdentifier
        var generation: UInt64
    }

    /// The sources of a group of parts, which need no look while the group stays the same.
    private struct KnownGroup {
        let parts: PrefsSnapshot.Parts.Group
        var sources: [Name: Known]
    }

    private var known: [KnownGroup] = []

    /// Records a commit: every source replaced since the previous commit gets this generation.
    mutating func note(_ parts: PrefsSnapshot.Parts, at generation: UInt64) {
        update(parts) { _ in generation }
    }

    /// Records sources that were reloaded with equal content; they keep their generations.
    mutating func renew(_ parts: PrefsSnapshot.Parts) {
        update(parts) { $0 }
    }

    private mutating func update(
        _ parts: PrefsSnapshot.Parts, _ generation: (_ before: UInt64) -> UInt64
    ) {
        for (index, group) in parts.groups.enumerated() {
            if index == known.count {
                known.append(KnownGroup(parts: group, sources: [:]))
            } else if known[index].parts === group {
                continue
            }
            let before = known[index].sources
            var sources: [Name: Known] = [:]
            for part in group.parts {
                let name = Name(layer: part.layer, file: part.source.file)
                let (source, old) = (ObjectIdentifier(part.source), before[name])
                let isSame = old?.source == source
                let next = isSame ? old?.generation ?? 0 : generation(old?.generation ?? 0)
                sources[name] = Known(source: source, generation: next)
            }
            known[index] = KnownGroup(parts: group, sources: sources)
        }
    }

    /// Returns the generation of a source's contents; `nil` if it has no values, like a locks file.
    func generation(of status: PrefsSourceStatus) -> UInt64? {
        let name = Name(layer: status.layer, file: status.file)
        return known.lazy.compactMap { $0.sources[name]?.generation }.first
    }
}
