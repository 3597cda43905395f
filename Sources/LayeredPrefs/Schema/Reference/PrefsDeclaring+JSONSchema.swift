import PrefsDocuments

extension PrefsDeclaring {
    /// A JSON Schema (draft 2020-12) of the keys, for editors and for the `prefs` command.
    ///
    /// Dotted paths become nested objects. Data is base64 text and a date is ISO 8601 text, as in JSON
    /// preference files. Properties that JSON Schema cannot express are listed under `x-prefs`: the stored
    /// type, the environment variable, former names, `merge` and `needsRestart`. Secrets are `writeOnly`, and
    /// their defaults are omitted.
    public static var jsonSchema: String { jsonSchema(environmentPrefix: "") }

    /// Returns a JSON Schema for a program whose environment variables begin with a prefix.
    public static func jsonSchema(environmentPrefix: String) -> String {
        let head: [(String, OrderedJSON)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("\(Self.self)")),
        ]
        let object = KeyTree(keys).schema(environmentPrefix: environmentPrefix)
        return OrderedJSON.object(head + object).indentedText + "\n"
    }
}

extension KeyTree {
    fileprivate func schema(environmentPrefix: String) -> [(String, OrderedJSON)] {
        let properties = entries.map { name, node -> (String, OrderedJSON) in
            switch node {
            case .key(let key): (name, OrderedJSON.object(key.schema(environmentPrefix: environmentPrefix)))
            case .group(let group): (name, .object(group.schema(environmentPrefix: environmentPrefix)))
            }
        }
        return [("type", .string("object")), ("properties", .object(properties))]
    }
}

extension PrefsKeyDescription {
    fileprivate func schema(environmentPrefix: String) -> [(String, OrderedJSON)] {
        var members = storedType.schema
        if let documentation { members.append(("description", .string(documentation))) }
        if let defaultValue, !isSecret { members.append(("default", OrderedJSON(defaultValue))) }
        members += limits.schema
        if isSecret { members.append(("writeOnly", .bool(true))) }
        members.append(("x-prefs", .object(extras(environmentPrefix: environmentPrefix))))
        return members
    }

    private func extras(environmentPrefix: String) -> [(String, OrderedJSON)] {
        var extras: [(String, OrderedJSON)] = [
            ("type", .string(storedType.description)),
            ("environment", .string(environmentName(prefix: environmentPrefix))),
        ]
        if isSecret { extras.append(("secret", .bool(true))) }
        if let validation { extras.append(("condition", .string(validation.onOneLine))) }
        if !formerNames.isEmpty {
            extras.append(("formerNames", .array(formerNames.map(OrderedJSON.string))))
        }
        if mergesDeeply { extras.append(("merge", .string("deep"))) }
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
        case .array(let element): [("type", .string("array")), ("items", .object(element.schema))]
        case .dictionary(let value):
            [("type", .string("object")), ("additionalProperties", .object(value.schema))]
        case .any: []
        }
    }
}

extension PrefsKeyLimits {
    fileprivate var schema: [(String, OrderedJSON)] {
        var members: [(String, OrderedJSON)] = []
        if let minimum { members.append(("minimum", OrderedJSON(minimum))) }
        if let maximum {
            members.append((excludesMaximum ? "exclusiveMaximum" : "maximum", OrderedJSON(maximum)))
        }
        if let values { members.append(("enum", .array(values.map { OrderedJSON($0) }))) }
        return members
    }
}
