import PrefsDocuments

/// The generations that last changed the contents of a stack's sources.
struct SourceGenerations: Sendable {
    /// The generations by the `version` of the source.
    private var generations: [UInt64: UInt64] = [:]

    /// Records the sources that a commit has replaced.
    ///
    /// - Parameters:
    ///   - changes: The new sources, each with its previous revision.
    ///   - parts: The active contents.
    ///   - generation: The generation of the commit; `nil` if all contents are equal, so that the sources keep
    ///     their generations.
    mutating func note(
        _ changes: [PrefsTransition.ChangedSource], in parts: PrefsSnapshot.Parts, at generation: UInt64?
    ) {
        for (before, after) in changes where after !== PrefsSource.empty {
            // A source that has only moved to another height has no previous revision here.
            if before === PrefsSource.empty, generations[after.version] != nil { continue }
            generations[after.version] = generation ?? generations[before.version] ?? 0
        }
        // Sources that are no longer active are forgotten now and then.
        if generations.count > 2 * parts.count + 64 {
            let versions = Set(parts.map(\.source.version))
            generations = generations.filter { versions.contains($0.key) }
        }
    }

    /// Returns the generation of each source that has values. A locks file has none.
    func byName(in parts: PrefsSnapshot.Parts) -> [PrefsSnapshot.Part.Name: UInt64] {
        let known = parts.compactMap { part in
            generations[part.source.version].map { (PrefsSnapshot.Part.Name(part), $0) }
        }
        return Dictionary(known) { first, _ in first }
    }
}
