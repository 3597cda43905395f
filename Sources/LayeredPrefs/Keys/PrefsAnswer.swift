package import PrefsDocuments

/// The result of reading a typed key: its value, the winning candidate, and the candidates rejected above it.
package struct PrefsAnswer<Value> {
    /// The effective value.
    package var value: Value
    /// The index of the winning candidate; `nil` if the value is the key's default.
    package var winner: Int?
    /// The errors of the rejected candidates above the winner, the most important candidate first.
    package var rejections: [PrefsError] = []
}

extension PrefsAnswer: Sendable where Value: Sendable {}

extension PersistentKey {
    /// Returns the first candidate that decodes and passes validation, or the default. Every read, diagnostic
    /// and observer uses this function.
    ///
    /// For an integer key with the default 80 and validation 1...65535:
    ///
    ///     user      "8080"     rejected: wrong type
    ///     system    70000      rejected: invalid
    ///     vendor    8000       effective
    package func resolve(candidates: [PrefsCandidate]) -> PrefsAnswer<Value> {
        guard isMutable else { return PrefsAnswer(value: defaultValue, winner: nil) }
        return isPlain ? resolve(candidates, merges: false) : resolveDeclared(candidates)
    }

    // Not inlined, because looking up the metadata of its types takes long, even for a plain key.
    @inline(never)
    private func resolveDeclared(_ candidates: [PrefsCandidate]) -> PrefsAnswer<Value> {
        if let merge = fieldMerge { return merge.resolve(candidates) }
        return resolve(candidates, merges: traits.mergesDeeply)
    }

    private func resolve(_ candidates: [PrefsCandidate], merges: Bool) -> PrefsAnswer<Value> {
        var rejections: [PrefsError] = []
        for index in candidates.indices {
            do throws(PrefsError) {
                let value = try readWhole(candidates[index])
                if merges { return merging(candidates, value, winner: index, rejections) }
                return PrefsAnswer(value: value, winner: index, rejections: rejections)
            } catch let error {
                rejections.append(error)
            }
        }
        return PrefsAnswer(value: defaultValue, winner: nil, rejections: rejections)
    }

    /// Merges the acceptable candidates' dictionaries, with the default's dictionary below them.
    ///
    /// For a deep-merging key with the default `{"soft": 4, "open": 16}`:
    ///
    ///     user      {"soft": 1, "hard": 9}
    ///     system    {"hard": 8, "core": 0}
    ///     result    {"soft": 1, "hard": 9, "core": 0, "open": 16}
    ///
    /// If the merged dictionary does not pass validation, the topmost acceptable candidate is the value.
    private func merging(
        _ candidates: [PrefsCandidate], _ top: Value, winner: Int,
        _ rejections: [PrefsError]
    ) -> PrefsAnswer<Value> {
        var parts: [PrefsValue] = candidates.compactMap { candidate in
            rejection(ofWhole: candidate) == nil ? storedForm(in: candidate) : nil
        }
        if let below = storedDefault { parts.append(below) }
        guard let first = parts.first else {
            return PrefsAnswer(value: top, winner: winner, rejections: rejections)
        }
        let merged = parts.dropFirst().reduce(first) { $0.merged(over: $1) }
        let whole = coding.decode(merged).flatMap { complaint(about: $0) == nil ? $0 : nil }
        return PrefsAnswer(value: whole ?? top, winner: winner, rejections: rejections)
    }

    /// Returns the value of one candidate, or the error that rejects it. For a struct, this is the error of the
    /// first wrong field.
    package func read(_ candidate: PrefsCandidate) -> Result<Value, PrefsError> {
        guard let merge = fieldMerge else {
            return Result { () throws(PrefsError) in try readWhole(candidate) }
        }
        let answer = merge.resolve([candidate])
        return answer.rejections.first.map { .failure($0) } ?? .success(answer.value)
    }

    /// Returns the error that rejects a candidate, read alone; `nil` if the candidate is accepted.
    func rejection(ofWhole candidate: PrefsCandidate) -> PrefsError? {
        do throws(PrefsError) {
            _ = try readWhole(candidate)
            return nil
        } catch let error {
            return error
        }
    }

    /// Returns the errors that reject a candidate, read alone: one for each wrong element, as far as the coding
    /// finds them.
    func rejections(ofWhole candidate: PrefsCandidate) -> [PrefsError] {
        guard let error = rejection(ofWhole: candidate) else { return [] }
        guard error.code == .wrongType, candidate.rejection == nil,
            let coding = coding as? any PartwiseCoding, let stored = storedForm(in: candidate)
        else { return [error] }
        let parts = coding.mismatches(of: stored)
        return parts.isEmpty ? [error] : parts.map { wrongType(candidate, stored, $0) }
    }

    /// Returns the value of one candidate alone.
    ///
    /// - Throws: The error that rejects the candidate.
    func readWhole(_ candidate: PrefsCandidate) throws(PrefsError) -> Value {
        // The storage rejects it for every type, or something on the key's path is not a dictionary.
        if let rejection = candidate.rejection, rejection.code != .invalid { throw rejection }
        let coding = coding
        guard let stored = storedForm(in: candidate) else {
            throw wrongType(candidate, candidate.value, coding.mismatch(of: candidate.value))
        }
        guard let value = coding.decode(stored) else {
            throw wrongType(candidate, stored, coding.mismatch(of: stored))
        }
        if let complaint = complaint(about: value) { throw invalid(candidate, complaint: complaint) }
        if var rejection = candidate.rejection {
            rejection.reason = masking(rejection.reason, candidate.value)
            throw rejection
        }
        return value
    }

    /// Returns the error for a candidate with a stored form, or a part of it, that the coding does not expect.
    func wrongType(
        _ candidate: PrefsCandidate, _ stored: PrefsValue, _ mismatch: PrefsMismatch
    ) -> PrefsError {
        let part = stored.part(at: mismatch.path)
        var hint = traits.isSecret ? "" : SpellingSuggestion.hint(mismatch.suggestion)
        if candidate.isText, !traits.isSecret, !candidate.isSecret {
            let text = if case .string(let text) = part { text } else { part?.description ?? "" }
            hint += PrefsText.rangeHint(text, expected: mismatch.expected)
            if part == candidate.value { hint += PrefsText.dictionaryHint(expected: mismatch.expected) }
        }
        let found = part.map { self.found($0, candidate) } ?? "nothing"
        return PrefsError(
            .wrongType, key: id + mismatch.path.suffix, origin: candidate.origin(ofPartAt: mismatch.path),
            reason: "expected \(masking(mismatch.expected, stored)), found \(found)\(hint)")
    }

    /// Returns the reason why the key's validation rejects a value; `nil` if it accepts the value.
    func complaint(about value: Value) -> String? {
        guard let declared, declared.areValidated else { return nil }
        return traits.validate?(value)
    }

    func invalid(_ candidate: PrefsCandidate, complaint: String) -> PrefsError {
        // For a text, the message shows the value that the key's type parses.
        let value = storedForm(in: candidate) ?? candidate.value
        return PrefsError(
            .invalid, key: id, origin: candidate.origin,
            reason: "\(masking(complaint, candidate.value)), found \(found(value, candidate))")
    }

    /// Returns a sentence of the program about a value, with a secret text masked.
    package func masking(_ complaint: String, _ value: PrefsValue?) -> String {
        guard traits.isSecret, let value else { return complaint }
        return SecretPaths.masking([value], in: complaint)
    }

    /// Describes a stored value: `the string "many"`; for a secret only its type, and for a long value only
    /// its first characters.
    private func found(_ value: PrefsValue, _ candidate: PrefsCandidate) -> String {
        if traits.isSecret || candidate.isSecret { return value.kind.description }
        let text = "\(value)"
        return "\(value.kind.definite) \(text.count > 80 ? text.prefix(80) + "…" : text[...])"
    }
}

extension PersistentKey {
    /// Returns a candidate's stored form. If the candidate is text, this key's coding parses it. Returns `nil` if
    /// the text does not parse.
    func storedForm(in candidate: PrefsCandidate) -> PrefsValue? {
        guard candidate.isText, case .string(let text) = candidate.value else { return candidate.value }
        return storedForm(ofText: text)
    }

    /// Parses a text. To choose among several forms, the coding may decode each of them.
    @usableFromInline
    func storedForm(ofText text: String) -> PrefsValue? { coding.storedForm(ofText: text) }
}
