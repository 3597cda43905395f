extension PrefsMismatch {
    /// Creates a mismatch from a decoding error.
    ///
    /// - Parameter type: The type to name if the error says nothing about the value.
    init(_ error: any Error, decoding type: any Decodable.Type) {
        guard let error = error as? DecodingError, let context = error.context else {
            self.init(expected: "a valid \(type) (\(error))")
            return
        }
        var path = context.codingPath.map(Step.init)
        if case .keyNotFound(let key, _) = error {
            path.append(Step(key))
            self.init(at: path, expected: "a value")
        } else if let known = context.underlyingError as? PrefsMismatch {
            self = known
            self.path = path
        } else {
            self.init(at: path, expected: "a valid value (\(context.debugDescription))")
        }
    }

    /// Returns the mismatch for a stored value that is not a duration. For a bare number, it suggests seconds as
    /// the unit.
    package static func duration(found: PrefsValue) -> PrefsMismatch {
        let seconds =
            switch found {
            case .integer(let number): "\(number)s"
            case .string(let text): text + "s"
            default: ""
            }
        let isNumber = seconds.utf8.dropLast().allSatisfy(\.isDigit)
        let suggestion = isNumber && Duration(prefsText: seconds) != nil ? seconds : nil
        return PrefsMismatch(expected: #"a duration such as "30s" or "1h30m""#, suggestion: suggestion)
    }
}

extension PrefsMismatch.Step {
    fileprivate init(_ key: any CodingKey) {
        if key is ElementKey, let index = key.intValue {
            self = .index(index)
        } else {
            self = .key(key.stringValue)
        }
    }
}

extension DecodingError {
    /// Returns the error for a stored value that does not match the expected type.
    static func mismatch(_ mismatch: PrefsMismatch, found: PrefsValue, at path: CodingPath) -> DecodingError {
        let hint = SpellingSuggestion.hint(mismatch.suggestion)
        return .dataCorrupted(
            Context(
                codingPath: path.keys,
                debugDescription: "expected \(mismatch.expected), found \(found.kind)\(hint)",
                underlyingError: mismatch))
    }

    /// The place and the description of the error.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
