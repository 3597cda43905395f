import PrefsDocuments

/// Finds the stored keys that no schema declares. It reports each key once, and again only if it disappears and
/// comes back.
///
/// It reports nothing before the first check, because a program creates its schemas one after another.
struct UnknownKeyReporter {
    /// The unknown keys in the parts of a layer. Parts that stay the same are not checked again.
    private struct CheckedGroup {
        let group: PrefsSnapshot.Parts.Group
        /// The number of declared keys that the parts were checked against.
        let count: Int
        /// The unknown keys by the `version` of their source.
        let unknown: [UInt64: UnknownKeys]
        /// The parts that have unknown keys.
        let findings: [(part: PrefsSnapshot.Part, unknown: UnknownKeys)]
    }

    /// The number of declarations so far.
    private(set) var declarations = 0
    /// True if keys have been declared since the last check.
    private(set) var isPending = false
    /// True after the first check. Every later commit checks again.
    private var isStarted = false
    /// The keys that have been reported and are still present.
    private var reported: Set<UnknownKey.Place> = []
    /// The number of keys that have been counted instead of reported one by one.
    private var counted: [PrefsSnapshot.Part.Name: Int] = [:]
    private var checkedGroups: [CheckedGroup] = []

    /// Notes that keys were declared. Returns the number of the declaration, so that only the last declaration
    /// starts the first check.
    mutating func noteDeclaration() -> Int {
        declarations += 1
        isPending = true
        return declarations
    }

    /// Checks again if the first check has run. Before that, returns nothing.
    mutating func checkAgain(_ snapshot: PrefsSnapshot, against known: KnownKeys) -> [PrefsError] {
        isStarted ? check(snapshot, against: known) : []
    }

    /// Returns an error for each unknown key that has not been reported. For one revision of a file, these are at
    /// most ``PrefsLimits/reports``, and one more error counts the other keys.
    mutating func check(_ snapshot: PrefsSnapshot, against known: KnownKeys) -> [PrefsError] {
        guard declarations > 0 else { return [] }
        isStarted = true
        isPending = false
        checkedGroups = snapshot.state.parts.groups.enumerated().map { index, group in
            let before = checkedGroups.indices.contains(index) ? checkedGroups[index] : nil
            return checked(group, after: before, against: known)
        }
        var present: Set<UnknownKey.Place> = []
        var rests: [PrefsSnapshot.Part.Name: Int] = [:]
        var errors: [PrefsError] = []
        let findings = checkedGroups.flatMap { group in group.findings.map { (group.group, $0) } }
        for (group, (part, unknown)) in findings {
            let new = unknown.listed.map { group.located($0, in: part, known) }.filter { unknown in
                present.insert(unknown.place).inserted && !reported.contains(unknown.place)
            }
            if !new.isEmpty {
                let spellings = part.source.contents.spellings(of: known)
                errors += new.map { $0.error(among: spellings) }
            }
            let place = PrefsSnapshot.Part.Name(part)
            let rest = unknown.count - unknown.listed.count
            guard rest > 0 else { continue }
            rests[place] = rest
            if counted[place] != rest { errors.append(part.error(counting: rest)) }
        }
        (reported, counted) = (present, rests)
        return errors
    }

    /// Checks the parts whose source has changed.
    private func checked(
        _ group: PrefsSnapshot.Parts.Group, after previous: CheckedGroup?, against known: KnownKeys
    ) -> CheckedGroup {
        let count = known.names.count + known.elements.count
        let before = previous.flatMap { $0.count == count ? $0 : nil }
        if let before, before.group === group { return before }
        var unknown: [UInt64: UnknownKeys] = [:]
        for part in group.parts {
            let version = part.source.version
            unknown[version] = before?.unknown[version] ?? part.source.unknownKeys(against: known)
        }
        let findings = group.parts.compactMap { part in
            unknown[part.source.version].flatMap { $0.count > 0 ? (part, $0) : nil }
        }
        return CheckedGroup(group: group, count: count, unknown: unknown, findings: findings)
    }
}

extension PrefsSource {
    /// Returns the unknown keys, and then the unknown fields in arrays of structs.
    fileprivate func unknownKeys(against known: KnownKeys) -> UnknownKeys {
        var unknown = contents.unknownKeys(against: known)
        for elements in known.elements { unknown.add(contents.unknownFields(of: elements)) }
        return unknown
    }
}

extension PrefsSnapshot.Parts.Group {
    /// Returns an unknown key of a part with its layer and file. If the key is a former name, the result also has
    /// another name of the same key in another part: in the topmost part above this one, or else in the next part
    /// below.
    fileprivate func located(
        _ unknown: UnknownKey, in part: PrefsSnapshot.Part, _ known: KnownKeys
    ) -> UnknownKey {
        var located = part.located(unknown)
        guard parts.count > 1, let names = unknown.presentName.flatMap(known.names),
            let own = parts.firstIndex(where: { $0.source === part.source })
        else { return located }
        let others = names.paths.filter { $0.name != unknown.key }
        for index in Array(0..<own) + Array((own + 1)..<parts.count) {
            let source = parts[index].source
            for path in others {
                guard let found = source.tree.value(at: path), !found.isRejected,
                    !names.isSection(found.value, at: path)
                else { continue }
                var origin = found.origin
                origin.spelling = nil
                located.other = UnknownKey.Other(name: path.name, origin: origin, overrides: index < own)
                return located
            }
        }
        return located
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

extension UnknownKey.Other: CustomStringConvertible {
    /// The relation of the former name to the other name: `overridden by “http.port” of /etc/myd/myd.toml:2:1`.
    var description: String { "\(overrides ? "overridden by" : "overrides") “\(name)” of \(origin)" }
}

extension UnknownKey {
    fileprivate func error(among spellings: [String]) -> PrefsError {
        let reason =
            if let field {
                "unknown field\(SpellingSuggestion.hint(SpellingSuggestion.nearest(to: field.name, among: field.known)))"
            } else if let presentName {
                "renamed to “\(presentName)”" + (other.map { "; \($0)" } ?? "")
            } else if let nearest = SpellingSuggestion.nearest(to: key, among: spellings) {
                "unknown key; did you mean “\(nearest)”?"
            } else {
                "unknown key"
            }
        return PrefsError(.unknownKey, key: key, origin: origin, reason: reason)
    }
}
