import PrefsDocuments

/// The generation in which the contents of each of a stack's sources last changed.
struct SourceGenerations: Sendable {
    typealias Name = PrefsSnapshot.Part.Name

    /// The sources of a group of parts, which need no look while the group stays the same.
    private struct KnownGroup {
        let parts: PrefsSnapshot.Parts.Group
        /// That of each part.
        let generations: [UInt64]

        /// Returns a function from the index of a part to that of its previous version; `nil` if it has none.
        func places(of group: PrefsSnapshot.Parts.Group) -> (Int) -> Int? {
            let old = parts.parts
            // Files seldom come and go.
            if old.elementsEqual(group.parts, by: { $0.hasSameName(as: $1) }) { return { $0 } }
            let places = Dictionary(zip(old.map(Name.init), old.indices)) { $1 }
            return { places[Name(group.parts[$0])] }
        }
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
            guard index < known.count else {
                known.append(KnownGroup(parts: group, generations: group.parts.map { _ in generation(0) }))
                continue
            }
            let old = known[index]
            if old.parts === group { continue }
            let places = old.places(of: group)
            let generations = group.parts.indices.map { index in
                guard let place = places(index) else { return generation(0) }
                let (before, source) = (old.generations[place], old.parts.parts[place].source)
                return source === group.parts[index].source ? before : generation(before)
            }
            known[index] = KnownGroup(parts: group, generations: generations)
        }
    }

    /// The generation of each source that has values, which a locks file has not.
    var all: [Name: UInt64] {
        var all: [Name: UInt64] = [:]
        for group in known {
            for (part, generation) in zip(group.parts.parts, group.generations) {
                let name = Name(part)
                all[name] = all[name] ?? generation
            }
        }
        return all
    }
}
