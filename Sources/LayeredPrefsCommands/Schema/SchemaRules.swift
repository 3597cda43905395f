import LayeredPrefs

/// Everything that a schema file says of a value: its type, and what is demanded of it and of its parts.
final class SchemaRules: Sendable {
    let type: PrefsStoredType
    /// The types of which the value has one, if the schema lists several; ``type`` is then any.
    let alternatives: [PrefsStoredType]
    let limits: PrefsStoredType.Limits
    let conditions: [SchemaCondition]
    let properties: [String: SchemaRules]
    /// The rules for the entries of a dictionary that are no ``properties``.
    let others: SchemaRules?
    /// The rules for the elements of an array.
    let elements: SchemaRules?

    init(
        type: PrefsStoredType, alternatives: [PrefsStoredType] = [],
        limits: PrefsStoredType.Limits = PrefsStoredType.Limits(), conditions: [SchemaCondition] = [],
        properties: [String: SchemaRules] = [:], others: SchemaRules? = nil, elements: SchemaRules? = nil
    ) {
        self.type = type
        self.alternatives = alternatives
        self.limits = limits
        self.conditions = conditions
        self.properties = properties
        self.others = others
        self.elements = elements
    }

    /// Returns the rules for a part of the value; `nil` if the schema says nothing of it.
    func part(at path: ArraySlice<String>) -> SchemaRules? {
        guard let name = path.first else { return self }
        return (properties[name] ?? others)?.part(at: path.dropFirst())
    }

    /// Returns the part of a value of the type that a rule rejects; `nil` if all accept it.
    func mismatch(of value: PrefsValue) -> PrefsMismatch? {
        if let values = limits.values, !values.contains(value) {
            return PrefsMismatch(expected: "one of \(limits)", suggestion: values.nearest(to: value))
        }
        if !limits.allow(value, type) { return PrefsMismatch(expected: limits.description) }
        if let broken = conditions.first(where: { !$0.accepts(value) }) {
            return PrefsMismatch(expected: broken.expectation)
        }
        return switch value {
        case .array(let array):
            array.enumerated().lazy.compactMap { index, element in
                self.elements?.mismatch(of: element)?.inside(.index(index))
            }.first
        case .dictionary(let content):
            content.sorted { $0.key < $1.key }.lazy.compactMap { name, part in
                self.part(at: [name])?.mismatch(of: part)?.inside(.key(name))
            }.first
        default: nil
        }
    }

    /// Returns the reason why the value as a whole is rejected; `nil` if it is accepted.
    func complaint(about value: PrefsValue) -> String? {
        mismatch(of: value).flatMap { $0.path.isEmpty ? "expected \($0.expected)" : nil }
    }

    /// The conditions in words; `nil` if there are none.
    var summary: String? {
        conditions.isEmpty ? nil : "expected " + conditions.map(\.expectation).joined(separator: ", ")
    }

    /// Parses a text as the type; of several, as the first one that it has the form of, and text last.
    func storedForm(ofText text: String) -> PrefsValue? {
        if alternatives.isEmpty { return type.storedForm(ofText: text) }
        let ordered = alternatives.filter { $0 != .string } + alternatives.filter { $0 == .string }
        return ordered.lazy.compactMap { $0.value(ofText: text) }.first
    }
}

extension PrefsKeyDescription {
    /// The rules of the schema file that declares the key; `nil` if the program itself declares it.
    var rules: SchemaRules? { (coding as? OptionalPrefsCoding<SchemaCoding>)?.base.rules }

    /// Returns the part of a value that is rejected; `nil` if the value is accepted, as far as it can be said without the
    /// program.
    func mismatch(of value: PrefsValue) -> PrefsMismatch? {
        storedType.mismatch(of: value) ?? rules?.mismatch(of: value)
    }
}
