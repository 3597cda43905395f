public import LayeredPrefs
import PrefsDocuments

extension PrefsDeclaring {
    /// A JSON Schema of the keys; see ``PrefsReference/jsonSchema``.
    public static var jsonSchema: String { jsonSchema(environmentPrefix: "") }

    /// Returns a JSON Schema for a program whose environment variables begin with a prefix.
    ///
    /// - Parameters:
    ///   - environmentPrefix: The prefix, such as `MYD_`.
    ///   - locations: The locations of the program's files, such as `.daemon("relay")`. The `prefs` command then
    ///     uses them for the program's domain. Pass `nil` for the standard locations; see
    ///     ``PrefsFileLocations/standard(domain:folder:format:environment:)``.
    public static func jsonSchema(
        environmentPrefix: String, locations: PrefsFileLocations? = nil
    ) -> String {
        PrefsReference(
            keys, title: "\(Self.self)", environmentPrefix: environmentPrefix, locations: locations
        ).jsonSchema
    }
}

extension PrefsReference {
    /// A JSON Schema (draft 2020-12) of the keys, for editors and for the `prefs` command.
    ///
    /// Dotted paths become nested objects. Data is base64 text and a date is ISO 8601 text, as in JSON
    /// preference files. Secrets are `writeOnly`, and their defaults are omitted.
    ///
    /// Properties that JSON Schema cannot express are listed under `x-prefs`: the stored type, the
    /// environment variable, former names, `merge`, `required` and `needsRestart`. A `required` key must be
    /// set by some layer. If the key has a `section`, this holds only if the section exists.
    ///
    /// The schema of a ``Live`` configuration has `additionalProperties: false`, in its sections, too. Former
    /// names are `deprecated` properties, and `patternProperties` allows literal keys such as
    /// `"listen.port"`. If there are other configurations on the stack, make one reference of the keys of all
    /// configurations, because its schema allows further properties.
    public var jsonSchema: String {
        var head: [(String, OrderedJSON)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string(title)),
        ]
        if let locations {
            let members = [("environmentPrefix", OrderedJSON.string(environmentPrefix))] + locations.schema
            head.append(("x-prefs", .object(members)))
        }
        var tree = KeyTree(keys)
        if wholePath != nil { tree.insertFormerNames(of: keys.flatMap(\.parts)) }
        let object = tree.schema(
            environmentPrefix: environmentPrefix, isWholeAt: wholePath?[...], isRoot: true)
        return OrderedJSON.object(head + object).indentedText + "\n"
    }
}

extension PrefsFileLocations {
    fileprivate var schema: [(String, OrderedJSON)] {
        let places = system.map { place -> OrderedJSON in
            .object(
                [("file", .string(place.path))] + (place.isVolatile ? [("volatile", .bool(true))] : [])
                    + (place.honorsLocksFile ? [] : [("locks", .bool(false))]))
        }
        return [("system", .array(places))]
            + (user.map { [("user", .string(Self.relativeToUserDirectory($0)))] } ?? [])
            + (followsUAPI6 ? [("followsUAPI6", .bool(true))] : [])
    }

    /// Creates the locations that a schema contains.
    ///
    /// - Throws: ``PrefsError`` if a system file's path is not absolute.
    package init(schema node: PrefsNode, path: String) throws(PrefsError) {
        self.init()
        for place in node["system"].map({ Array($0.elements) }) ?? [] where place.kind == .dictionary {
            guard let file = place.text("file"), file.hasPrefix("/") else {
                throw PrefsError(
                    .invalid, origin: PrefsOrigin(file: path, position: place.position),
                    reason: "expected a system file with an absolute path")
            }
            system.append(
                System(
                    path: file, honorsLocksFile: place.flag("locks") ?? true,
                    isVolatile: place.flag("volatile") ?? false))
        }
        user = node.text("user").flatMap(Self.inUserDirectory)
        followsUAPI6 = node.flag("followsUAPI6") ?? false
    }
}

extension KeyTree {
    /// - Parameters:
    ///   - path: The path, relative to this tree, below which there are no undeclared keys; `nil` if it is
    ///     elsewhere.
    ///   - isRoot: True for the top level of a file, where a key may be spelled with its dots.
    fileprivate func schema(
        environmentPrefix: String, isWholeAt path: ArraySlice<String>?, isRoot: Bool = false
    ) -> [(String, OrderedJSON)] {
        let properties = entries.map { name, node -> (String, OrderedJSON) in
            switch node {
            case .key(let key):
                return (name, OrderedJSON.object(key.schema(environmentPrefix: environmentPrefix)))
            case .formerName(let key): return (name, .object(key.schemaOfFormerName))
            case .group(let group):
                let rest = path.flatMap { path in
                    path.isEmpty ? path : path.first == name ? path.dropFirst() : nil
                }
                return (name, .object(group.schema(environmentPrefix: environmentPrefix, isWholeAt: rest)))
            }
        }
        var members = [("type", OrderedJSON.string("object")), ("properties", .object(properties))]
        guard path?.isEmpty == true else { return members }
        let names = entries.compactMap { name, node in if case .group = node { name.asPattern } else { nil } }
        if isRoot, !names.isEmpty {
            members.append(
                ("patternProperties", .object([("^(\(names.joined(separator: "|")))\\.", .object([]))])))
        }
        return members + [("additionalProperties", .bool(false))]
    }
}

extension PrefsKeyDescription {
    fileprivate func schema(environmentPrefix: String) -> [(String, OrderedJSON)] {
        var members = storedType.schema
        if let documentation { members.append(("description", .string(documentation))) }
        if let defaultValue, !isSecret { members.append(("default", OrderedJSON(defaultValue))) }
        members += limits.schema(of: storedType)
        if isSecret { members.append(("writeOnly", .bool(true))) }
        members.append(("x-prefs", .object(extras(environmentPrefix: environmentPrefix))))
        return members
    }

    /// The schema of the key's value under a former name.
    fileprivate var schemaOfFormerName: [(String, OrderedJSON)] {
        storedType.schema + limits.schema(of: storedType) + [
            ("description", .string("The former name of \(name).")), ("deprecated", .bool(true)),
            ("x-prefs", .object([("renamed", .string(name))])),
        ]
    }

    private func extras(environmentPrefix: String) -> [(String, OrderedJSON)] {
        var extras: [(String, OrderedJSON)] = [
            ("type", .string(storedType.description)),
            ("environment", .string(environmentName(prefix: environmentPrefix))),
        ]
        if storedType.isQuantity { extras += limits.bounds }
        if isSecret { extras.append(("secret", .bool(true))) }
        if let validation { extras.append(("condition", .string(validation.onOneLine))) }
        if !formerNames.isEmpty {
            extras.append(("formerNames", .array(formerNames.map(OrderedJSON.string))))
        }
        if mergesDeeply { extras.append(("merge", .string("deep"))) }
        if isRequired {
            extras.append(("required", .bool(true)))
            if let section { extras.append(("section", .string(section.name))) }
        }
        if needsRestart { extras.append(("needsRestart", .bool(true))) }
        return extras
    }
}

extension PrefsStoredType {
    fileprivate var schema: [(String, OrderedJSON)] {
        switch self {
        case .string: [("type", .string("string"))]
        case .bool: [("type", .string("boolean"))]
        case .integer: [("type", .string("integer"))]
        case .real: [("type", .string("number"))]
        case .data: [("type", .string("string")), ("contentEncoding", .string("base64"))]
        case .date: [("type", .string("string")), ("format", .string("date-time"))]
        case .duration: [("type", .string("string")), ("pattern", .string(Self.durationPattern))]
        case .byteCount:
            [
                ("type", .array([.string("integer"), .string("string")])), ("minimum", .number("0")),
                ("pattern", .string(Self.byteCountPattern)),
            ]
        case .array(let element): [("type", .string("array")), ("items", .object(element.partSchema))]
        case .dictionary(let value):
            [("type", .string("object")), ("additionalProperties", .object(value.partSchema))]
        case .structure(let fields, let isComplete):
            [
                ("type", .string("object")),
                ("properties", .object(fields.map { ($0.name, .object($0.schema)) })),
                ("required", .array(fields.filter(\.isRequired).map { .string($0.name) })),
            ] + (isComplete ? [("additionalProperties", .bool(false))] : [])
        case .any: []
        }
    }

    /// The schema of a part of a value.
    fileprivate var partSchema: [(String, OrderedJSON)] { schema(PrefsStoredType.Limits()) }

    /// Returns the schema of a part of a value. It names the stored type if the keywords of JSON Schema cannot.
    fileprivate func schema(_ limits: PrefsStoredType.Limits) -> [(String, OrderedJSON)] {
        let members = schema + limits.schema(of: self)
        if !isQuantity { return members }
        return members + [("x-prefs", .object([("type", .string(description))] + limits.bounds))]
    }
}

extension PrefsStoredType.Field {
    fileprivate var schema: [(String, OrderedJSON)] {
        type.schema(limits) + (documentation.map { [("description", .string($0))] } ?? [])
    }
}

extension PrefsStoredType {
    /// True if the values are ordered quantities that may be text. JSON Schema cannot compare such values, so
    /// their bounds are among the extras.
    fileprivate var isQuantity: Bool { self == .duration || self == .byteCount }

    // Patterns for editors. The program itself also checks the order of the units.
    private static let durationPattern =
        "^(P[0-9WDTHMS.]+|( *[0-9]+(\\.[0-9]+)? *(w|d|h|m|min|s|ms|us|µs|ns))+ *)$"
    private static let byteCountPattern = "^ *[0-9]+(\\.[0-9]+)? *(([kKmMgGtTpP][iI]?)?[bB])? *$"
}

extension PrefsStoredType.Limits {
    fileprivate var bounds: [(String, OrderedJSON)] {
        var members: [(String, OrderedJSON)] = []
        if let minimum { members.append(("minimum", OrderedJSON(minimum))) }
        if let maximum {
            members.append((excludesMaximum ? "exclusiveMaximum" : "maximum", OrderedJSON(maximum)))
        }
        return members
    }

    fileprivate func schema(of type: PrefsStoredType) -> [(String, OrderedJSON)] {
        var members = type.isQuantity ? [] : bounds
        if let values { members.append(("enum", .array(values.map { OrderedJSON($0) }))) }
        return members
    }
}

extension String {
    /// A regular expression that matches the text.
    fileprivate var asPattern: String {
        String(flatMap { "^$\\.*+?()[]{}|/".contains($0) ? ["\\", $0] : [$0] })
    }
}
