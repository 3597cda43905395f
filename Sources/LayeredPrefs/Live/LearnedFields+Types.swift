import PrefsDocuments

extension LearnedFields {
    /// Learns the options of the fields that an encoding of the default instance does not contain: the fields of
    /// sections that are `nil`, of array elements, and of dictionary values.
    ///
    /// - Parameters:
    ///   - type: The type of the value at the path.
    ///   - stored: The encoding that the options of its fields have been learned from; `nil` if there is none.
    ///   - sample: The encoding of any other value of the type; `nil` if none is known.
    ///   - path: The path. `*` stands for any element.
    ///   - outer: The types around the type. The type may contain one of them again.
    /// - Throws: ``PrefsError`` if a type declares options that cannot be learned.
    func learn(
        _ type: (any Decodable.Type)?, _ stored: PrefsValue?, sample: PrefsValue? = nil,
        at path: [String] = [], within outer: [any Decodable.Type] = []
    ) throws {
        guard let type, !(type is any PrefsStorageValue.Type), !outer.contains(where: { $0 == type }) else {
            return
        }
        if let optional = type as? any OptionalDecodable.Type {
            return try learn(optional.wrappedDecodable, stored, sample: sample, at: path, within: outer)
        }
        if let collection = type as? any CollectionDecodable.Type {
            let element = (stored ?? sample)?.anyElement
            let place = path + ["*"]
            return try learn(collection.elementDecodable, nil, sample: element, at: place, within: outer)
        }
        let section = type as? any PrefsSection.Type
        let known = try stored ?? section.flatMap { try encoding(of: $0.init(), at: path) }
        let (found, inner) = (StructFields(of: type, defaults: known ?? sample), outer + [type])
        if let wrapped = found.wrapped {
            return try learn(wrapped, stored, sample: sample, at: path, within: inner)
        }
        guard let fields = found.fields else { return }
        if known == nil { try checkOptions(of: type, found, at: path) }
        for field in fields {
            try learn(
                field.type, known?.dictionary?[field.name], sample: sample?.dictionary?[field.name],
                at: path + [field.name], within: inner)
        }
    }

    /// Throws if a type without a known default declares options. Notes a warning if the type may declare some.
    private func checkOptions(of type: any Decodable.Type, _ found: StructFields, at path: [String]) throws {
        func place(_ field: StructFields.Field) -> String {
            (path + [field.name]).joined(separator: ".").replacing(".*", with: "[*]")
        }
        let fields = found.fields ?? []
        if let wrapped = fields.first(where: {
            $0.type is any FieldWrapper.Type && self[path + [$0.name]] == nil
        }) {
            throw PrefsError(
                .notEncodable, key: place(wrapped),
                reason: "the options of this @Setting are unknown, because the default contains no \(type);"
                    + " declare `\(type): PrefsSection` with an init(), or give the options by name")
        }
        guard let unknown = found.unknownField else { return }
        let fieldType = unknown.type.map { "\($0)" } ?? "its type"
        noteUnlearned(
            PrefsError(
                .unsupported, key: place(unknown),
                reason:
                    "the options of the fields after this one in \(type) are unknown, because there is no example of"
                    + " \(fieldType); declare `\(type): PrefsSection` with an init(), or give the options by name"
            ),
            at: path)
    }

    /// Returns the first fields within a stored value that some layer has to set and none does.
    ///
    /// - Parameters:
    ///   - value: A value that is stored at the path.
    ///   - path: The path of the value in the configuration.
    ///   - limit: The number of fields after which the search ends.
    func missing(in value: PrefsValue, at path: [String], limit: Int) -> [PrefsMismatch] {
        let required = options(below: path).all.filter { $0.value.isRequired && !$0.key.isEmpty }
        var found: [PrefsMismatch] = []
        for place in required.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            found += Self.missing(place[...], in: value, limit: limit - found.count)
        }
        return found
    }

    private static func missing(
        _ place: ArraySlice<String>, in value: PrefsValue, limit: Int
    ) -> [PrefsMismatch] {
        guard limit > 0, let name = place.first else { return [] }
        let rest = place.dropFirst()
        var found: [PrefsMismatch] = []
        switch value {
        case .array(let elements) where name == "*":
            for (index, element) in elements.enumerated() where found.count < limit {
                found += missing(rest, in: element, limit: limit - found.count).map {
                    $0.inside(.index(index))
                }
            }
        case .dictionary(let content) where name == "*":
            for (key, element) in content.sorted(by: { $0.key < $1.key }) where found.count < limit {
                found += missing(rest, in: element, limit: limit - found.count).map { $0.inside(.key(key)) }
            }
        case .dictionary(let content):
            if let part = content[name] {
                return missing(rest, in: part, limit: limit).map { $0.inside(.key(name)) }
            }
            // A section that is absent requires nothing.
            if rest.isEmpty {
                found.append(PrefsMismatch(at: [.key(name)], expected: "a value (it is required)"))
            }
        default: break
        }
        return found
    }
}

extension LearnedFields {
    /// Returns the first fields within a stored value that their options by name reject. A wrapper checks its own
    /// field when the field is decoded.
    ///
    /// - Parameters:
    ///   - value: A value that is stored at the path.
    ///   - path: The path of the value in the configuration.
    ///   - limit: The number of fields after which the search ends.
    func rejected(in value: PrefsValue, at path: [String], limit: Int) -> [PrefsMismatch] {
        var found: [PrefsMismatch] = []
        let inner = options(below: path).all.filter { !$0.key.isEmpty && named.contains(path + $0.key) }
        for (rest, options) in inner.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            guard let check = options.check, let type = options.checkedType else { continue }
            let place = path + rest
            for part in value.parts(at: rest[...]) where found.count < limit {
                let isOwn = pattern(of: path + part.path.map(\.name)) == place
                guard isOwn, let value = try? PrefsValueDecoder().decode(type, from: part.value),
                    let complaint = check(value)
                else { continue }
                found.append(PrefsMismatch(at: part.path, expected: complaint.withoutExpected))
            }
        }
        return found
    }
}

/// A field within the value of another field. In its path, `*` stands for any element.
struct InnerField {
    /// The type of the field; `nil` if it is not known.
    let type: (any Decodable.Type)?

    /// - Returns: `nil` if the type has no such field.
    init?(_ path: ArraySlice<String>, of outer: (any Decodable.Type)?) {
        guard let type = (outer as? any FieldWrapper.Type)?.wrappedType ?? outer, let name = path.first else {
            self.init(type: outer)
            return
        }
        let rest = path.dropFirst()
        if type is any PrefsStorageValue.Type, !(type is any CollectionDecodable.Type) { return nil }
        if let optional = type as? any OptionalDecodable.Type {
            self.init(path, of: optional.wrappedDecodable)
        } else if let collection = type as? any CollectionDecodable.Type {
            if name != "*", type is any ExpressibleByArrayLiteral.Type { return nil }
            self.init(rest, of: collection.elementDecodable)
        } else {
            let found = StructFields(of: type)
            if let wrapped = found.wrapped {
                self.init(path, of: wrapped)
            } else if let field = found.fields?.first(where: { $0.name == name }) {
                self.init(rest, of: field.type)
            } else if found.fields != nil, found.isComplete, !found.mayHave(name) {
                return nil
            } else {
                self.init(type: nil)
            }
        }
    }

    private init(type: (any Decodable.Type)?) { self.type = type }
}

extension PrefsMismatch.Step {
    /// The name of the step in the path of a field.
    fileprivate var name: String { if case .key(let name) = self { name } else { "*" } }
}

extension PrefsValue {
    /// Returns the parts of this value at a path. `*` stands for any element or entry.
    fileprivate func parts(
        at place: ArraySlice<String>, _ steps: [PrefsMismatch.Step] = []
    ) -> [(path: [PrefsMismatch.Step], value: PrefsValue)] {
        guard let name = place.first else { return [(steps, self)] }
        let rest = place.dropFirst()
        switch self {
        case .array(let elements) where name == "*":
            return elements.enumerated().flatMap { $1.parts(at: rest, steps + [.index($0)]) }
        case .dictionary(let content):
            let entries = content.filter { name == "*" || name == $0.key }.sorted { $0.key < $1.key }
            return entries.flatMap { $1.parts(at: rest, steps + [.key($0)]) }
        default: return []
        }
    }
}

extension String {
    /// The requirement in a reason such as “expected an even number”.
    var withoutExpected: String { hasPrefix("expected ") ? String(dropFirst(9)) : self }
}

extension PrefsValue {
    /// An element of an array, or a value of a dictionary; `nil` if there is none.
    fileprivate var anyElement: PrefsValue? {
        switch self {
        case .array(let elements): elements.first
        case .dictionary(let content): content.first?.value
        default: nil
        }
    }
}

extension PrefsStoredType {
    /// Returns the type with options for its fields, including the fields of its elements and values.
    func adding(_ options: OptionTree) -> Self {
        if options.isEmpty { return self }
        switch self {
        case .array(let element): return .array(of: element.adding(options[part: "*"]))
        case .dictionary(let value): return .dictionary(of: value.adding(options[part: "*"]))
        case .structure(let fields, let isComplete):
            let known = fields.map { $0.adding(options[part: $0.name]) }
            return .structure(fields: known, isComplete: isComplete)
        default: return self
        }
    }
}

extension PrefsStoredType.Field {
    /// - Parameter options: The options of the field, at the empty path, and of its inner fields.
    fileprivate func adding(_ options: OptionTree) -> Self {
        let own = options.options ?? FieldOptions()
        var limits = own.limits
        limits.values = limits.values ?? self.limits.values
        return Self(
            name: name, type: type.adding(options), isRequired: isRequired || own.isRequired, limits: limits,
            documentation: own.documentation)
    }
}
