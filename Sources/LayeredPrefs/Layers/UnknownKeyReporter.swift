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
        let version: UInt64
        let count: Int
        let unknown: [UnknownKey]
    }

    /// The number of declarations so far.
    private(set) var declarations = 0
    /// True once keys have been checked; every later commit checks again.
    private var isStarted = false
    /// The keys that have been reported and are still present.
    private var reported: Set<UnknownKey.Place> = []
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

    /// Returns an error for each unknown key that has not been reported.
    mutating func check(_ snapshot: PrefsSnapshot, against known: KnownKeys) -> [PrefsError] {
        guard declarations > 0 else { return [] }
        isStarted = true
        checkedParts = checked(Array(snapshot.state.parts), against: known)
        var present: Set<UnknownKey.Place> = []
        var errors: [PrefsError] = []
        for (part, checked) in zip(snapshot.state.parts, checkedParts) {
            let prefix = part.source.contents.variablePrefix
            for unknown in checked.unknown where present.insert(unknown.place).inserted {
                if !reported.contains(unknown.place) {
                    errors.append(known.error(for: unknown, prefix: prefix))
                }
            }
        }
        reported = present
        return errors
    }

    private func checked(_ parts: [PrefsSnapshot.Part], against known: KnownKeys) -> [CheckedPart] {
        let before = checkedParts.filter { $0.count == known.names.count }
        return parts.map { part in
            let version = part.source.version
            let sameLayer = before.filter { $0.layer == part.layer }
            if let same = sameLayer.first(where: { $0.version == version }) { return same }
            let previous = sameLayer.first { $0.version == part.source.step?.start }
            return CheckedPart(
                layer: part.layer, version: version, count: known.names.count,
                unknown: part.unknownKeys(against: known, after: previous?.unknown))
        }
    }
}

extension PrefsSnapshot.Part {
    /// Returns the part's unknown keys; if those of the version before are given, checks only the top-level
    /// keys that changed since.
    fileprivate func unknownKeys(against known: KnownKeys, after before: [UnknownKey]?) -> [UnknownKey] {
        guard let before, let step = source.step else { return located(known, under: nil) }
        let tops = Set(step.paths.map { $0.components[0] })
        return before.filter { !tops.contains(PrefsPath($0.key).components[0]) } + located(known, under: tops)
    }

    private func located(_ known: KnownKeys, under tops: Set<String>?) -> [UnknownKey] {
        source.contents.unknownKeys(against: known, under: tops).map { unknown in
            var unknown = unknown
            (unknown.origin.layer, unknown.origin.file) = (layer, source.file)
            return unknown
        }
    }
}

extension KnownKeys {
    fileprivate func error(for unknown: UnknownKey, prefix: String?) -> PrefsError {
        let reason =
            if let present = unknown.presentName {
                "renamed to “\(present)”"
            } else if let nearest = nearest(to: unknown, prefix: prefix) {
                "unknown key; did you mean “\(nearest)”?"
            } else {
                "unknown key"
            }
        return PrefsError(.unknownKey, key: unknown.key, origin: unknown.origin, reason: reason)
    }
}
