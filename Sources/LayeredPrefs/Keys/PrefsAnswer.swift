package import PrefsDocuments
/// What a typed key reads: its value, which candidate gave it, and which were refused on the way.
package struct PrefsAnswer<Value> {
    /// The value in force.
    package var value: Value
    /// The candidate it comes from; `nil` is the key's default.
    package var winner: Int?
    /// The candidates above the winner that were refused, most important first.
    package var rejections: [Rejection] = []

    /// A refused candidate.
    package struct Rejection: Sendable, Hashable {
        /// Which candidate.
        package var candidate: Int
        /// Why.
        package var error: PrefsError
    }
}

extension PrefsAnswer: Sendable where Value: Sendable {}

extension PersistentKeyProtocol {
    /// The first candidate that decodes and passes validation, or the default: the one rule for every read,
    /// diagnostic and observer.
    package func resolve(candidates: some Sequence<PrefsCandidate>) -> PrefsAnswer<Value> {
        guard isMutable else { return PrefsAnswer(value: defaultValue, winner: nil) }
        var rejections: [PrefsAnswer<Value>.Rejection] = []
        let merges = traits.mergesDeeply
        for (index, candidate) in candidates.enumerated() {
            switch read(candidate) {
            case .success(let value):
                if merges { return merging(candidates, value, winner: index, rejections) }
                return PrefsAnswer(value: value, winner: index, rejections: rejections)
            case .failure(let error):
                rejections.append(PrefsAnswer.Rejection(candidate: index, error: error))
            }
        }
        return PrefsAnswer(value: defaultValue, winner: nil, rejections: rejections)
    }

    /// The acceptable candidates' dictionaries as one, the default's beneath them all.
    private func merging(
        _ candidates: some Sequence<PrefsCandidate>, _ top: Value, winner: Int,
        _ rejections: [PrefsAnswer<Value>.Rejection]
    ) -> PrefsAnswer<Value> {
        var parts: [PrefsValue] = candidates.compactMap { candidate in
            guard case .success = read(candidate) else { return nil }
            return candidate.storedForm(for: representation)
        }
        if let beneath = (try? representation.encode(defaultValue)) ?? nil { parts.append(beneath) }
        guard let first = parts.first else {
            return PrefsAnswer(value: top, winner: winner, rejections: rejections)
        }
        let merged = parts.dropFirst().reduce(first) { $0.merged(over: $1) }
        let whole = representation.decode(merged).flatMap { traits.validate?($0) == nil ? $0 : nil }
        return PrefsAnswer(value: whole ?? top, winner: winner, rejections: rejections)
    }

    /// The value of one candidate, or why it is refused.
    package func read(_ candidate: PrefsCandidate) -> Result<Value, PrefsError> {
        // What lies beside the key's path has no type to be checked; a rule over several keys comes last.
        if let rejection = candidate.rejection, rejection.code != .invalid { return .failure(rejection) }
        let representation = representation
        guard let stored = candidate.storedForm(for: representation),
            let value = representation.decode(stored)
        else { return .failure(wrongType(candidate, expected: representation.expectation)) }
        if let complaint = traits.validate?(value) {
            return .failure(invalid(candidate, complaint: complaint))
        }
        if let rejection = candidate.rejection { return .failure(rejection) }
        return .success(value)
    }

    private func wrongType(_ candidate: PrefsCandidate, expected: String) -> PrefsError {
        PrefsError(
            .wrongType, key: id, origin: candidate.origin,
            reason: "expected \(expected), found \(found(candidate))"
        )
    }

    private func invalid(_ candidate: PrefsCandidate, complaint: String) -> PrefsError {
        PrefsError(
            .invalid, key: id, origin: candidate.origin, reason: "\(complaint), found \(found(candidate))")
    }

    /// `the string "many"`; of a secret only the type, and of a long value only its beginning.
    private func found(_ candidate: PrefsCandidate) -> String {
        let kind = candidate.value.kind
        if traits.isSecret { return kind.description }
        let text = "\(candidate.value)"
        return "\(kind.definite) \(text.count > 80 ? text.prefix(80) + "…" : text[...])"
    }
}

extension PrefsCandidate {
    fileprivate func storedForm(for representation: some PersistentKeyValueRepresentation) -> PrefsValue? {
        guard isText, case .string(let text) = value else { return value }
        return representation.storedForm(ofText: text)
    }
}

extension PrefsValue.Kind {
    fileprivate var definite: String {
        switch self {
        case .data: "the data"
        case .bool: "the boolean"
        default: "the \(rawValue)"
        }
    }
}
