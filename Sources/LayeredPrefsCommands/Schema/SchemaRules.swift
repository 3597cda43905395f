import LayeredPrefs

/// The rules of a schema file for a value: its type, and the requirements on the value and its parts.
final class SchemaRules: Sendable {
    let type: PrefsStoredType
    /// The possible types of the value, if the schema lists several. ``type`` is then any.
    let alternatives: [PrefsStoredType]
    let limits: PrefsStoredType.Limits
    let conditions: [SchemaCondition]
    let properties: [String: SchemaRules]
    /// The rules for the entries of a dictionary that are not in ``properties``.
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

    /// Returns the rules for a part of the value; `nil` if the schema has none.
    func part(at path: ArraySlice<String>) -> SchemaRules? {
        guard let name = path.first else { return self }
        return (properties[name] ?? others)?.part(at: path.dropFirst())
    }

    /// Returns the part of a value of the type that a rule rejects; `nil` if all rules accept the value.
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

    /// Parses a text as the type. If there are several types, tries them in order, with string last.
    func storedForm(ofText text: String) -> PrefsValue? {
        if alternatives.isEmpty { return type.storedForm(ofText: text) }
        let ordered = alternatives.filter { $0 != .string } + alternatives.filter { $0 == .string }
        return ordered.lazy.compactMap { $0.value(ofText: text) }.first
    }
}

extension PrefsKeyDescription {
    /// The rules of the schema file that declares the key; `nil` if the program itself declares it.
    var rules: SchemaRules? { (coding as? OptionalPrefsCoding<SchemaCoding>)?.base.rules }

    /// Returns the part of a value that is rejected; `nil` if the value is accepted. Only the program itself can
    /// check more.
    func mismatch(of value: PrefsValue) -> PrefsMismatch? {
        storedType.mismatch(of: value) ?? rules?.mismatch(of: value)
    }
}
