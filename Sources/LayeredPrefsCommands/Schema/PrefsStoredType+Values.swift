import FoundationEssentials
import LayeredPrefs

extension PrefsStoredType {
    /// The library's own type for this stored type, so that the commands accept and reject the same values as a
    /// program. For a quantity it is any value, because a quantity is stored as it is written.
    private var storageType: any PrefsStorageValue.Type {
        switch self {
        case .string: String.self
        case .bool: Bool.self
        case .integer: Int.self
        case .real: Double.self
        case .data: Data.self
        case .date: Date.self
        case .array: [PrefsValue].self
        case .dictionary, .structure: [String: PrefsValue].self
        case .duration, .byteCount, .any: PrefsValue.self
        }
    }

    /// Returns a stored value as a program reads it with this type; `nil` if the type rejects it.
    func value(of stored: PrefsValue) -> PrefsValue? {
        func open<Value: PrefsStorageValue>(_: Value.Type) -> PrefsValue? {
            Value(prefsValue: stored)?.prefsValue
        }
        if mismatch(of: stored) != nil { return nil }
        return mappingParts(of: stored) { $0.value(of: $1) } ?? open(storageType)
    }

    /// Parses a text from the command line or the environment as this type; `nil` if the type does not accept it.
    func value(ofText text: String) -> PrefsValue? { storedForm(ofText: text).flatMap(value(of:)) }

    /// Parses a text as this type; `nil` if the text does not have the type's form. A part of the result may still
    /// be wrong.
    func storedForm(ofText text: String) -> PrefsValue? {
        switch self {
        case .array(let element) where !element.isCollection:
            PrefsText.list(
                text, element: element.value(ofText:), accepts: { element.value(of: $0) != nil })
                ?? json(text)
        case .dictionary(let value) where !value.isCollection:
            PrefsText.dictionary(
                text, value: value.value(ofText:), accepts: { value.value(of: $0) != nil }) ?? json(text)
        case .array, .dictionary, .structure: json(text)
        case .duration, .byteCount: quantity(ofText: text)
        default: storageType.storedForm(ofText: text)
        }
    }

    /// Parses a JSON text. Dates and data are strings in JSON, so their types parse them.
    private func json(_ text: String) -> PrefsValue? {
        guard let value = try? PrefsDocument(parsing: text, as: .json, root: nil).root.value else {
            return nil
        }
        switch (self, value) {
        case (.array, .array), (.dictionary, .dictionary), (.structure, .dictionary): return fitting(value)
        default: return nil
        }
    }

    private func fitting(_ value: PrefsValue) -> PrefsValue {
        if let fitted = mappingParts(of: value, { $0.fitting($1) }) { return fitted }
        guard case .string(let text) = value, self == .date || self == .data else { return value }
        return storageType.storedForm(ofText: text) ?? value
    }

    private var isCollection: Bool {
        switch self {
        case .array, .dictionary, .structure: true
        default: false
        }
    }

    /// Returns a collection with each part replaced by the result of `body`; `nil` for a type without parts, and
    /// for a value of another kind.
    func mappingParts(
        of value: PrefsValue, _ body: (PrefsStoredType, PrefsValue) -> PrefsValue?
    ) -> PrefsValue? {
        switch (self, value) {
        case (.array(let element), .array(let elements)):
            .array(elements.map { body(element, $0) ?? $0 })
        case (.dictionary(let type), .dictionary(let content)):
            .dictionary(content.mapValues { body(type, $0) ?? $0 })
        case (.structure(let fields, _), .dictionary(var content)):
            {
                for field in fields {
                    if let part = content[field.name] { content[field.name] = body(field.type, part) ?? part }
                }
                return .dictionary(content)
            }()
        default: nil
        }
    }

    /// Returns the type and the limits of the value at a path in a value of this type; `nil` if there cannot be
    /// one.
    func part(at path: ArraySlice<String>) -> Field? {
        guard let name = path.first else { return nil }
        let field: Field?
        switch self {
        case .dictionary(let value): field = Field(name: name, type: value, isRequired: false)
        case .structure(let fields, let isComplete):
            let other = isComplete ? nil : Field(name: name, type: .any, isRequired: false)
            field = fields.first { $0.name == name } ?? other
        case .any: field = Field(name: name, type: .any, isRequired: false)
        default: field = nil
        }
        return path.count == 1 ? field : field?.type.part(at: path.dropFirst())
    }

    /// The type with an article for messages, such as `an integer`.
    var expectation: String {
        switch self {
        case .array(let element): "an array, each element \(element.expectation)"
        case .dictionary(let value): "a dictionary, each value \(value.expectation)"
        case .structure(let fields, _): "a dictionary with \(fields.map(\.name).joined(separator: ", "))"
        case .duration: DurationPrefsCoding().expectation
        case .byteCount: PrefsByteCount.prefsExpectation
        default: storageType.prefsExpectation
        }
    }
}

extension PrefsStoredType {
    /// Returns the part of a value that this type rejects; `nil` if it accepts the value. Fields that a struct
    /// does not have are accepted, because programs accept them, too.
    func mismatch(of stored: PrefsValue) -> PrefsMismatch? {
        func isAccepted<Value: PrefsStorageValue>(by _: Value.Type) -> Bool {
            Value(prefsValue: stored) != nil
        }
        switch (self, stored) {
        case (.structure(let fields, _), .dictionary(let content)):
            return fields.lazy.compactMap { field in
                field.mismatch(of: content[field.name])?.inside(.key(field.name))
            }.first
        case (.array, .array), (.dictionary, .dictionary):
            return parts(of: stored).lazy.compactMap { $0.type.mismatch(of: $0.value)?.inside($0.step) }.first
        case (.duration, _), (.byteCount, _):
            return amount(of: stored) == nil ? PrefsMismatch(expected: expectation) : nil
        default: return isAccepted(by: storageType) ? nil : PrefsMismatch(expected: expectation)
        }
    }

    /// Returns the parts of a collection in order, each with its type. Returns none for a type without parts, and
    /// for a value of another kind.
    private func parts(
        of value: PrefsValue
    ) -> [(step: PrefsMismatch.Step, type: PrefsStoredType, value: PrefsValue)] {
        switch (self, value) {
        case (.array(let element), .array(let elements)):
            elements.enumerated().map { (.index($0), element, $1) }
        case (.dictionary(let type), .dictionary(let content)):
            content.sorted { $0.key < $1.key }.map { (.key($0.key), type, $0.value) }
        case (.structure(let fields, _), .dictionary(let content)):
            fields.compactMap { field in content[field.name].map { (.key(field.name), field.type, $0) } }
        default: []
        }
    }

    /// Returns the fields in a value that its struct does not have, each with the most similar field of the
    /// struct.
    func unknownFields(in stored: PrefsValue) -> [(path: [PrefsMismatch.Step], nearest: String?)] {
        let inside = parts(of: stored).flatMap { step, type, value in
            type.unknownFields(in: value).map { (path: [step] + $0.path, nearest: $0.nearest) }
        }
        guard case (.structure(let fields, true), .dictionary(let content)) = (self, stored) else {
            return inside
        }
        let names = fields.map(\.name)
        let others = content.keys.sorted().filter { !names.contains($0) }
        return others.map { ([.key($0)], SpellingSuggestion.nearest(to: $0, among: names)) } + inside
    }
}

extension PrefsStoredType.Field {
    /// Returns the part of the field's value that is rejected. Returns `nil` if the value is accepted, or if it is
    /// missing and not required.
    fileprivate func mismatch(of value: PrefsValue?) -> PrefsMismatch? {
        let expected = limits.values.map(\.oneOf) ?? type.expectation
        guard let value else { return isRequired ? PrefsMismatch(expected: expected) : nil }
        if let values = limits.values, !values.contains(value) {
            return PrefsMismatch(expected: expected, suggestion: values.nearest(to: value))
        }
        if let mismatch = type.mismatch(of: value) { return mismatch }
        return limits.allow(value, type) ? nil : PrefsMismatch(expected: limits.description)
    }
}

extension PrefsStoredType {
    /// Creates the type from its description, such as `array of integer`.
    init?(description: String) {
        for (prefix, make) in Self.collections where description.hasPrefix(prefix) {
            guard let element = Self(description: String(description.dropFirst(prefix.count))) else {
                return nil
            }
            self = make(element)
            return
        }
        let simple: [PrefsStoredType] = [
            .string, .bool, .integer, .real, .data, .date, .duration, .byteCount, .any,
        ]
        guard let type = simple.first(where: { $0.description == description }) else { return nil }
        self = type
    }

    private static var collections: [(String, (PrefsStoredType) -> PrefsStoredType)] {
        [("array of ", { .array(of: $0) }), ("dictionary of ", { .dictionary(of: $0) })]
    }
}
