/// Where a value comes from; `nil` in its place is the key's own default.
struct ModelOrigin: Sendable, Hashable, Codable, CustomStringConvertible {
    var layer: String
    /// `etc/main`, `etc/10-a.plist`, `held`.
    var source: String
    /// The name it was found under: the key's, or a former one.
    var name: String
    var spelling: ModelSpelling

    var description: String { "\(layer) \(source) \(name) (\(spelling.rawValue))" }
}

/// Why a candidate counts as absent (DESIGN "Wrong values", "Keys").
enum ModelRejection: Sendable, Hashable, Codable {
    /// Something on the key's path is not a dictionary.
    case notADictionary(at: String)
    case wrongType
    case unparsableText
    case invalid
    /// A validator over several keys refused it, together with what else the same source says of them.
    case group(String)
}

/// One candidate, and what became of it.
struct ModelCandidate: Sendable, Hashable {
    enum Fate: Sendable, Hashable {
        case inForce
        /// Part of a deep-merged value, beside the topmost part.
        case merged
        case shadowed
        case rejected(ModelRejection)
        /// Above the layer that locks the key.
        case lockedOut
    }

    let origin: ModelOrigin
    let sourceIndex: Int
    /// As stored; a string for text. `nil` where the path is blocked.
    let stored: ModelValue?
    var fate = Fate.shadowed
    /// As the key's type sees it, once it was accepted.
    var decoded: ModelValue?
    /// The form of what bars the path.
    var barringForm: String?
}

/// The answer for a typed key: "value + origin …, everything it shadows, the lock, rejected candidates"
/// (DESIGN "One of each").
struct ModelResolution: Sendable, Hashable {
    let value: ModelValue
    /// `nil` for the key's own default.
    let origin: ModelOrigin?
    /// High to low.
    let candidates: [ModelCandidate]
    let lock: ModelLock?

    var shadowed: [ModelOrigin] { candidates.filter { $0.fate == .shadowed }.map(\.origin) }
    var merged: [ModelOrigin] { candidates.filter { $0.fate == .merged }.map(\.origin) }
    var lockedOut: [ModelOrigin] { candidates.filter { $0.fate == .lockedOut }.map(\.origin) }
    var rejected: [ModelOrigin: ModelRejection] {
        var rejected: [ModelOrigin: ModelRejection] = [:]
        for candidate in candidates {
            if case .rejected(let reason) = candidate.fate { rejected[candidate.origin] = reason }
        }
        return rejected
    }
}

/// The untyped answer: "the topmost value is the answer, and is said to be untyped" (DESIGN "Wrong values"),
/// dictionaries merged by key path.
struct ModelRawResolution: Sendable, Hashable {
    let value: ModelValue?
    /// The topmost source with a part in the value.
    let origin: ModelOrigin?
}

extension ModelSnapshot {
    /// The answers for all declared keys.
    var resolutions: [String: ModelResolution] {
        let refused = groupRefusals
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, resolve($0, refused: refused)) })
    }

    /// The answer for one key.
    func resolve(_ key: ModelKey) -> ModelResolution { resolve(key, refused: groupRefusals) }

    /// What the group validators refuse, by key and source: as long as one of them refuses the values in
    /// force, whatever the topmost source among them says of the group's keys "is refused together", and the
    /// next lower candidates stand (DESIGN "Wrong values"). Defaults alone are never refused.
    private var groupRefusals: [String: [Int: String]] {
        var refused: [String: [Int: String]] = [:]
        if twists.contains(.groupIsIgnored) { return [:] }
        while let (group, found) = firstRefusal(refused) {
            let top = found.compactMap { $0.1.inForceIndex }.max() ?? 0
            let together = found.filter { $0.1.inForceIndex == top }
            if twists.contains(.groupsRefuseWholeLayers) {
                for index in sources.indices where sources[index].layer == sources[top].layer {
                    for (key, _) in found { refused[key.name, default: [:]][index] = group.name }
                }
                continue
            }
            tally.hit(.groupIsRefusedTogether)
            if together.count > 1 { tally.hit(.groupRefusesSeveral) }
            for (key, _) in twists.contains(.groupRefusesOne) ? Array(together.prefix(1)) : together {
                refused[key.name, default: [:]][top] = group.name
            }
        }
        return refused
    }

    private func firstRefusal(
        _ refused: [String: [Int: String]]
    ) -> (ModelGroup, [(ModelKey, ModelResolution)])? {
        for group in groups {
            let found = group.keys.compactMap { name in
                keys.first { $0.name == name }.map { ($0, resolve($0, refused: refused)) }
            }
            let isByDefault = found.allSatisfy { $0.1.inForceIndex == nil }
            if !isByDefault, !group.accepts(found.map(\.1.value)) { return (group, found) }
        }
        return nil
    }

    private func resolve(_ key: ModelKey, refused: [String: [Int: String]]) -> ModelResolution {
        var candidates = candidates(for: key).map { judged($0, key: key, refused: refused[key.name] ?? [:]) }
        let lock = lock(covering: key.path)
        let accepted = candidates.indices.filter { candidates[$0].decoded != nil }
        guard let first = accepted.first, !twists.contains(.rejectionFallsToDefault) || accepted.first == 0
        else {
            tally.hit(.defaultIsInForce)
            if lock != nil, candidates.contains(where: { $0.fate == .lockedOut }) {
                tally.hit(.lockedFallsToDefault)
            }
            return ModelResolution(value: key.defaultValue, origin: nil, candidates: candidates, lock: lock)
        }
        countFallThrough(candidates[..<first])
        candidates[first].fate = .inForce
        if accepted.count > 1 { tally.hit(.higherLayerShadows) }
        let value = combine(key, &candidates, accepted: accepted)
        return ModelResolution(
            value: value, origin: candidates[first].origin, candidates: candidates, lock: lock)
    }

    /// The topmost accepted value, or with a declared deep merge all of them and the default, by key path.
    private func combine(_ key: ModelKey, _ candidates: inout [ModelCandidate], accepted: [Int]) -> ModelValue
    {
        let values = accepted.map {
            (candidates[$0].decoded ?? [:], sources[candidates[$0].sourceIndex].layer)
        }
        let merges: Bool
        switch key.type {
        case .dictionary:
            merges =
                (key.mergesDeeply && !twists.contains(.deepMergeIsIgnored))
                || twists.contains(.declaredDictionariesMerge)
            if accepted.count > 1 { tally.hit(merges ? .declaredDeepMerge : .wholeDictionaryReplaces) }
        case .array:
            merges = false
            if accepted.count > 1 { tally.hit(.wholeArrayReplaces) }
            if twists.contains(.arraysMerge), values.count > 1, case .array(let high) = values[0].0,
                case .array(let low) = values[1].0
            {
                return .array(high + low.dropFirst(high.count))
            }
        default: merges = false
        }
        guard merges else { return values[0].0 }
        for index in accepted.dropFirst() { candidates[index].fate = .merged }
        let beneath = twists.contains(.deepMergeOmitsDefault) ? [] : [(key.defaultValue, 0)]
        return merge(values + beneath, at: key.path) ?? values[0].0
    }

    private func countFallThrough(_ skipped: ArraySlice<ModelCandidate>) {
        for candidate in skipped {
            guard case .rejected(let reason) = candidate.fate else { continue }
            switch reason {
            case .notADictionary: tally.hit(.nonDictionaryIsRejectedBeneath)
            case .wrongType: tally.hit(.wrongTypeFallsThrough)
            case .unparsableText: tally.hit(.unparsableTextFallsThrough)
            case .invalid: tally.hit(.validatorFallsThrough)
            case .group: break
            }
        }
    }
}

extension ModelResolution {
    /// The place of the value in force among the snapshot's sources; `nil` for the default.
    var inForceIndex: Int? { candidates.first { $0.fate == .inForce }?.sourceIndex }
}
