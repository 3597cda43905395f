extension ModelSnapshot {
    /// Returns the candidates of a typed key, high to low. Marks the candidates that a lock excludes or that
    /// a non-dictionary blocks.
    ///
    /// - Parameter present: The index of a source that is read under the key's present name, whatever it
    ///   contains.
    func candidates(for key: ModelKey, presentIn present: Int? = nil) -> [ModelCandidate] {
        var candidates: [ModelCandidate] = []
        for layer in layerNames.indices.reversed() {
            let indices = sources.indices.reversed().filter { sources[$0].layer == layer }
            let isShared = mutations.contains(.formerNamesAreReadByLayer)
            for index in indices {
                let name =
                    index == present ? key.path : nameRead(of: key, in: isShared ? indices : [index])
                guard let candidate = candidate(name, at: index) else { continue }
                candidates.append(candidate)
                if mutations.contains(.nonDictionaryEndsTheSearch), candidate.stored == nil {
                    return candidates
                }
            }
        }
        countPlaces(candidates)
        return candidates
    }

    /// Returns the name that a key is read under in a source: a former name only if the source lacks the
    /// present one. So the higher source wins, whichever name it has.
    ///
    /// For example, `http.port` was formerly `port`. With `http.port = 8` in a layer's main file and
    /// `port = 7` in its drop-in, the value is 7. With both in one file, it is 8.
    private func nameRead(of key: ModelKey, in indices: [Int]) -> ModelPath {
        guard !key.formerNames.isEmpty else { return key.path }
        let present = key.names.filter { name in
            indices.contains { index in
                guard case .found = typedView(name, in: sources[index]) else { return false }
                return true
            }
        }
        if present.count > 1, present[0] == key.path { tally.hit(.presentNameHidesFormer) }
        if let first = present.first, first != key.path { tally.hit(.formerNameIsRead) }
        if mutations.contains(.formerNamesAreIgnored) { return key.path }
        if mutations.contains(.formerNamesComeFirst) { return present.last ?? key.path }
        return present.first ?? key.path
    }

    private func candidate(_ name: ModelPath, at index: Int) -> ModelCandidate? {
        let source = sources[index]
        let finding = typedView(name, in: source)
        guard finding != .absent else { return nil }
        var stored: ModelValue?
        var spelling = ModelSpelling.nested
        var fate = ModelCandidate.Fate.shadowed
        var barringForm: String?
        switch finding {
        case .absent: break
        case .found(let value, let how): (stored, spelling) = (value, how)
        case .blocked(let place):
            fate = .rejected(.notADictionary(at: place.description))
            barringForm = source.tree.at(place.components)?.form
        }
        if !mayRead(name, from: source.layer) { fate = .lockedOut }
        let origin = ModelOrigin(
            layer: source.layerName, source: source.name, name: name.description, spelling: spelling)
        return ModelCandidate(
            origin: origin, sourceIndex: index, stored: stored, fate: fate, barringForm: barringForm)
    }

    /// Returns the candidate after the key's type and validator have accepted or rejected it.
    func judged(_ candidate: ModelCandidate, key: ModelKey) -> ModelCandidate {
        guard candidate.fate == .shadowed, let stored = candidate.stored else { return candidate }
        var judged = candidate
        let source = sources[candidate.sourceIndex]
        guard let value = source.isText ? parsed(stored, as: key.type) : stored else {
            judged.fate = .rejected(.unparsableText)
            return judged
        }
        let name = ModelPath(candidate.origin.name)
        guard let bound = bound(value, key: key, name: name, layer: source.layer) else {
            judged.fate = .lockedOut
            return judged
        }
        guard let decoded = key.type.decode(bound, mutations: mutations, tally: tally) else {
            judged.fate = .rejected(.wrongType)
            return judged
        }
        if let validator = key.validator, !validator.accepts(decoded),
            !mutations.contains(.validatorIsIgnored)
        {
            judged.fate = .rejected(.invalid)
        } else {
            judged.decoded = decoded
        }
        return judged
    }

    private func bound(_ value: ModelValue, key: ModelKey, name: ModelPath, layer: Int) -> ModelValue? {
        if key.mergesDeeply { return stripped(value, of: name, from: layer, key: key) }
        return restricted(value, of: name, from: layer, key: key)
    }

    private func parsed(_ stored: ModelValue, as type: ModelType) -> ModelValue? {
        guard case .string(let text) = stored else { return nil }
        if mutations.contains(.textIsNotParsed) { return stored }
        let value = ModelText.parse(text, as: type, tally: tally)
        // The elements of a dictionary have types, too.
        guard let value, type.decode(value, tally: ModelTally()) != nil else { return nil }
        if type != .string { tally.hit(.textIsParsed) }
        return value
    }

    private func countPlaces(_ candidates: [ModelCandidate]) {
        for (higher, lower) in zip(candidates, candidates.dropFirst())
        where higher.origin.layer == lower.origin.layer {
            let high = higher.origin.source.split(separator: "/")
            let low = lower.origin.source.split(separator: "/")
            if high[0] != low[0] {
                tally.hit(.higherDirectoryBeats)
            } else {
                tally.hit(low[1] == "main" ? .dropInBeatsMain : .dropInsInByteOrder)
            }
        }
    }
}
