/// The type that a key declares.
indirect enum ModelType: Sendable, Hashable {
    case string, bool, integer, real, data, date
    case array(ModelType)
    case dictionary(ModelType)
    /// A struct with these fields.
    case structure([String: ModelType])
    /// Any stored form, for the elements of untyped dictionaries.
    case any
}

extension ModelType {
    /// Returns the value of a stored form, or `nil` if the type rejects it: `"8080"` for an Int is rejected;
    /// `3` for a Double is accepted, `3.0` for an Int is not. One rejected element rejects its whole array or
    /// dictionary.
    func decode(_ stored: ModelValue, mutations: Set<ModelMutation> = [], tally: ModelTally) -> ModelValue? {
        switch (self, stored) {
        case (.any, _), (.string, .string), (.bool, .bool), (.real, .real), (.data, .data), (.date, .date):
            return stored
        case (.integer, .integer(let value)):
            return Int(exactly: value).map { .integer(Int128($0)) }
        case (.real, .integer(let value)):
            tally.hit(.integerIsTakenForReal)
            if mutations.contains(.integerIsNotTakenForReal) { return nil }
            return Double(exactly: value).map { .real($0) }
        case (.integer, .real(let value)):
            tally.hit(.realIsRejectedForInteger)
            return mutations.contains(.realIsTakenForInteger)
                ? Int(exactly: value).map { .integer(Int128($0)) } : nil
        case (.integer, .string(let text)):
            tally.hit(.stringIsRejectedForInteger)
            return mutations.contains(.stringIsTakenForInteger) ? Int(text).map { .integer(Int128($0)) } : nil
        case (.bool, .integer(let value)):
            tally.hit(.integerIsRejectedForBool)
            return mutations.contains(.integerIsTakenForBool) ? .bool(value != 0) : nil
        case (.array(let element), .array(let values)):
            let decoded = values.compactMap { element.decode($0, mutations: mutations, tally: tally) }
            return decoded.count == values.count ? .array(decoded) : nil
        case (.dictionary(let element), .dictionary(let values)):
            let decoded = values.compactMapValues { element.decode($0, mutations: mutations, tally: tally) }
            return decoded.count == values.count ? .dictionary(decoded) : nil
        case (.structure(let fields), .dictionary(let values)):
            let decoded = fields.compactMap { name, type -> (String, ModelValue)? in
                values[name].flatMap { type.decode($0, mutations: mutations, tally: tally) }.map {
                    (name, $0)
                }
            }
            return decoded.count == fields.count ? .dictionary(Dictionary(decoded) { $1 }) : nil
        default:
            return nil
        }
    }
}

/// The condition of a key's own validator. For an array or dictionary it applies to each element.
enum ModelValidator: Sendable, Hashable {
    case integers(ClosedRange<Int128>)
    case reals(ClosedRange<Double>)
    case oneOf([String])

    /// True if the validator accepts a decoded value; a value that fails validation counts as absent.
    func accepts(_ value: ModelValue) -> Bool {
        switch (self, value) {
        case (_, .array(let elements)): elements.allSatisfy(accepts)
        case (_, .dictionary(let entries)): entries.values.allSatisfy(accepts)
        case (.integers(let range), .integer(let value)): range.contains(value)
        case (.reals(let range), .real(let value)): range.contains(value)
        case (.oneOf(let names), .string(let value)): names.contains(value)
        default: true
        }
    }
}

/// A declared key.
struct ModelKey: Sendable, Hashable {
    let path: ModelPath
    let type: ModelType
    let defaultValue: ModelValue
    var validator: ModelValidator?
    /// True if the key declares a deep merge, or is a struct. Otherwise a dictionary or array replaces lower
    /// ones as a whole.
    var mergesDeeply = false
    /// The key's former names. A source is read under a former name if it lacks the present one.
    var formerNames: [ModelPath] = []
    var isSecret = false

    var name: String { path.description }

    /// The present name, then the former ones.
    var names: [ModelPath] { [path] + formerNames }
}

/// A constraint on several keys. The values of a source that violate it are rejected together.
struct ModelGroup: Sendable, Hashable {
    enum Rule: Sendable, Hashable {
        /// The integers do not decrease from key to key: minimum and maximum.
        case ascending
        /// Either all strings are empty or none is: certificate and key.
        case allOrNone
    }

    let name: String
    let keys: [String]
    let rule: Rule

    func accepts(_ values: [ModelValue]) -> Bool {
        switch rule {
        case .ascending:
            let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
            return zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
        case .allOrNone:
            let empty = values.filter { $0 == "" }.count
            return empty == 0 || empty == values.count
        }
    }
}
