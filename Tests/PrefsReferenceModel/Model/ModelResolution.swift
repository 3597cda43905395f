/// The origin of a value. Where an origin is optional, `nil` stands for the key's own default.
struct ModelOrigin: Sendable, Hashable, Codable, CustomStringConvertible {
    var layer: String
    /// `etc/main`, `etc/10-a.plist`, `held`.
    var source: String
    /// The name that the value was found under: the key's own or a former one.
    var name: String
    var spelling: ModelSpelling

    var description: String { "\(layer) \(source) \(name) (\(spelling.rawValue))" }
}

/// The reason why a candidate counts as absent.
enum ModelRejection: Sendable, Hashable, Codable {
    /// A value on the key's path is not a dictionary.
    case notADictionary(at: String)
    case wrongType
    case unparsableText
    case invalid
    /// A constraint on several keys rejects the values together.
    case group(String)
}

/// A candidate and its fate.
struct ModelCandidate: Sendable, Hashable {
    enum Fate: Sendable, Hashable {
        case effective
        /// Part of a deep-merged value, below its topmost part.
        case merged
        case shadowed
        case rejected(ModelRejection)
        /// Above the layer that locks the key.
        case lockedOut
    }

    let origin: ModelOrigin
    let sourceIndex: Int
    /// The stored value, a string in text sources. `nil` where the path is blocked.
    let stored: ModelValue?
    var fate = Fate.shadowed
    /// The decoded value, once the key's type and validators have accepted it.
    var decoded: ModelValue?
    /// The form of the value that blocks the path.
    var barringForm: String?
    /// The wrong parts of a struct, alone or together with other layers; `nil` if the key is not a struct.
    var faults: [ModelFault]?
    /// True if an acceptable value lies above, so that it does not matter whether this one is wrong.
    var isBelowAcceptable = false
}

/// The answer for a typed key: its value and origin, all candidates with their fates, and the lock.
struct ModelResolution: Sendable, Hashable {
    let value: ModelValue
    /// `nil` for the key's own default.
    let origin: ModelOrigin?
    /// High to low.
    let candidates: [ModelCandidate]
    let lock: ModelLock?
    /// The rejected parts of structs, above the effective ones.
    var rejectedParts: [ModelOrigin: ModelRejection] = [:]

    var shadowed: [ModelOrigin] { candidates.filter { $0.fate == .shadowed }.map(\.origin) }
    var merged: [ModelOrigin] { candidates.filter { $0.fate == .merged }.map(\.origin) }
    var lockedOut: [ModelOrigin] { candidates.filter { $0.fate == .lockedOut }.map(\.origin) }
    var rejected: [ModelOrigin: ModelRejection] {
        var rejected = rejectedParts
        for candidate in candidates {
            if case .rejected(let reason) = candidate.fate { rejected[candidate.origin] = reason }
        }
        return rejected
    }
}

/// The untyped answer: the topmost value, with dictionaries merged by key path.
struct ModelRawResolution: Sendable, Hashable {
    let value: ModelValue?
    /// The topmost source that contributes to the value.
    let origin: ModelOrigin?
}

extension ModelKey {
    /// True for a dictionary that merges with lower ones instead of replacing them.
    fileprivate var isMergedDeeply: Bool { if case .dictionary = type { mergesDeeply } else { false } }
}

extension ModelSnapshot {
    /// The answers for all declared keys.
    var resolutions: [String: ModelResolution] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0.name, resolve($0)) })
    }

    /// Resolves one key.
    func resolve(_ key: ModelKey) -> ModelResolution {
        if case .structure = key.type { return resolveStructure(key) }
        var candidates = candidates(for: key).map { judged($0, key: key) }
        let lock = lock(covering: key.path)
        let accepted = candidates.indices.filter { candidates[$0].decoded != nil }
        guard let first = accepted.first, !mutations.contains(.rejectionFallsToDefault) || accepted.first == 0
        else {
            tally.hit(.defaultIsEffective)
            if lock != nil, candidates.contains(where: { $0.fate == .lockedOut }) {
                tally.hit(.lockedFallsToDefault)
            }
            return ModelResolution(value: key.defaultValue, origin: nil, candidates: candidates, lock: lock)
        }
        countFallThrough(candidates[..<first])
        for index in candidates.indices where index > first {
            candidates[index].isBelowAcceptable = !key.isMergedDeeply
        }
        candidates[first].fate = .effective
        if accepted.count > 1 { tally.hit(.higherLayerShadows) }
        let value = combine(key, &candidates, accepted: accepted)
        return ModelResolution(
            value: value, origin: candidates[first].origin, candidates: candidates, lock: lock)
    }

    /// Returns the topmost accepted value. For a declared deep merge, returns all accepted values and the
    /// default, merged by key path.
    private func combine(_ key: ModelKey, _ candidates: inout [ModelCandidate], accepted: [Int]) -> ModelValue
    {
        let values = accepted.map {
            (candidates[$0].decoded ?? [:], sources[candidates[$0].sourceIndex].layer)
        }
        let merges: Bool
        switch key.type {
        case .dictionary:
            merges =
                (key.mergesDeeply && !mutations.contains(.deepMergeIsIgnored))
                || mutations.contains(.declaredDictionariesMerge)
            if accepted.count > 1 { tally.hit(merges ? .declaredDeepMerge : .wholeDictionaryReplaces) }
        case .array:
            merges = false
            if accepted.count > 1 { tally.hit(.wholeArrayReplaces) }
            if mutations.contains(.arraysMerge), values.count > 1, case .array(let high) = values[0].0,
                case .array(let low) = values[1].0
            {
                return .array(high + low.dropFirst(high.count))
            }
        default: merges = false
        }
        guard merges else { return values[0].0 }
        for index in accepted.dropFirst() { candidates[index].fate = .merged }
        let below = mutations.contains(.deepMergeOmitsDefault) ? [] : [(key.defaultValue, 0)]
        return merge(values + below, at: key.path) ?? values[0].0
    }

    private func countFallThrough(_ skipped: ArraySlice<ModelCandidate>) {
        for candidate in skipped {
            guard case .rejected(let reason) = candidate.fate else { continue }
            switch reason {
            case .notADictionary: tally.hit(.nonDictionaryIsRejectedBelow)
            case .wrongType: tally.hit(.wrongTypeFallsThrough)
            case .unparsableText: tally.hit(.unparsableTextFallsThrough)
            case .invalid: tally.hit(.validatorFallsThrough)
            case .group: break
            }
        }
    }
}
