import PrefsDocuments

/// Finds the stored keys that no schema declares, and reports each once; again only if it disappears and
/// comes back.
///
/// Nothing is reported before the first check, so that the keys of schemas that are created one after another
/// are not.
struct UnknownKeyReporter {
    /// The unknown keys in one version of a part, valid for a certain number of declared keys.
    private struct CheckedPart {
        let layer: String?
        let source: PrefsSource
        let count: Int
        let unknown: UnknownKeys
    }

    /// A layer's file, or the layer if it has none.
    private struct FilePlace: Hashable {
        let layer: String?
        let file: String?
    }

    /// The number of declarations so far.
    private(set) var declarations = 0
    /// True once keys have been checked; every later commit checks again.
    private var isStarted = false
    /// The keys that have been reported and are still present.
    private var reported: Set<UnknownKey.Place> = []
    /// The number of keys that have been counted instead of reported one by one.
    private var counted: [FilePlace: Int] = [:]
    private var checkedParts: [CheckedPart] = []

    /// Notes that keys were declared and returns the number of the declaration, so that only the last one
    /// starts the first check.
    mutating func noteDeclaration() -> Int {
        declarations += 1
        return declarations
    }

    /// Returns ``check(_:against:)`` once the first check has run, and nothing before.
    mutating func checkAgain(_ snapshot: PrefsSnapshot, against known: KnownKeys) -> [PrefsError] {
        isStarted ? check(snapshot, against: known) : []
    }

    /// Returns an error for each unknown key that has not been reported, up to ``PrefsLimits/reports`` for one
    /// version of a file, and one that counts the others.
    mutating func check(_ snapshot: PrefsSnapshot, against known: KnownKeys) -> [PrefsError] {
        guard declarations > 0 else { return [] }
        isStarted = true
        checkedParts = checked(snapshot.state.parts, against: known)
        var present: Set<UnknownKey.Place> = []
        var rests: [FilePlace: Int] = [:]
        var errors: [PrefsError] = []
        for (part, checked) in zip(snapshot.state.parts, checkedParts) {
            let unknown = checked.unknown
            let new = unknown.listed.map(part.located).filter { unknown in
                present.insert(unknown.place).inserted && !reported.contains(unknown.place)
            }
            if !new.isEmpty {
                let prefix = part.source.contents.variablePrefix
                let spellings = known.spellings(prefix: prefix)
                errors += new.map { $0.error(among: spellings) }
            }
            let place = FilePlace(layer: part.layer, file: part.source.file)
            let rest = unknown.count - unknown.listed.count
            guard rest > 0 else { continue }
            rests[place] = rest
            if counted[place] != rest { errors.append(part.error(counting: rest)) }
        }
        (reported, counted) = (present, rests)
        return errors
    }

    private func checked(_ parts: [PrefsSnapshot.Part], against known: KnownKeys) -> [CheckedPart] {
        let before = checkedParts.filter { $0.count == known.names.count }
        return parts.map { part in
            let sameLayer = before.filter { $0.layer == part.layer }
            if let same = sameLayer.first(where: { $0.source === part.source }) { return same }
            let previous = sameLayer.first { $0.source.version == part.source.step?.start }
            let unknown = previous.flatMap { part.source.unknownKeys($0.unknown, in: $0.source, known) }
            return CheckedPart(
                layer: part.layer, source: part.source, count: known.names.count,
                unknown: unknown ?? part.source.contents.unknownKeys(against: known, under: nil))
        }
    }
}

extension PrefsSource {
    /// Returns the unknown keys, given those of the version before, of which only the changed top-level keys
    /// are checked; `nil` if that does not suffice.
    fileprivate func unknownKeys(
        _ before: UnknownKeys, in previous: PrefsSource, _ known: KnownKeys
    ) -> UnknownKeys? {
        guard let step else { return nil }
        let tops = Set(step.paths.map { $0.components[0] })
        var unknown = before
        unknown.replace(
            under: tops, previous.contents.unknownKeys(against: known, under: tops),
            with: contents.unknownKeys(against: known, under: tops))
        return unknown.isComplete ? unknown : nil
    }
}

extension PrefsSnapshot.Part {
    /// Returns an unknown key with its layer and file.
    fileprivate func located(_ unknown: UnknownKey) -> UnknownKey {
        var unknown = unknown
        (unknown.origin.layer, unknown.origin.file) = (layer, source.file)
        return unknown
    }

    fileprivate func error(counting rest: Int) -> PrefsError {
        PrefsError(
            .unknownKey, origin: PrefsOrigin(layer: layer, file: source.file),
            reason: "… and \(rest) more unknown keys")
    }
}

extension UnknownKey {
    fileprivate func error(among spellings: [String]) -> PrefsError {
        let reason =
            if let presentName {
                "renamed to “\(presentName)”"
            } else if let nearest = SpellingSuggestion.nearest(to: key, among: spellings) {
                "unknown key; did you mean “\(nearest)”?"
            } else {
                "unknown key"
            }
        return PrefsError(.unknownKey, key: key, origin: origin, reason: reason)
    }
}
