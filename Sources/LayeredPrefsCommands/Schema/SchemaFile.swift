import LayeredPrefs
import LayeredPrefsInspection

/// Reads JSON Schemas: those that the library exports, and others as far as they use the same keywords.
enum SchemaFile {
    /// Reads the declared keys from a schema.
    ///
    /// - Throws: ``PrefsError`` if the file is missing, unreadable, not JSON, or not the schema of an object, with the
    ///   position and the key where something else is expected.
    static func read(_ path: String) throws(PrefsError) -> ProgramSchema {
        try schema(in: try PrefsFile.document(of: path, as: .json), path: path)
    }

    /// Returns the bytes of a schema.
    ///
    /// - Parameter place: The file, or another source of the bytes, for messages.
    /// - Throws: ``PrefsError`` if they are not JSON, or not the schema of an object.
    static func checked(_ bytes: [UInt8], from place: String) throws(PrefsError) -> [UInt8] {
        _ = try schema(in: try PrefsDocument(parsing: bytes, as: .json, path: place), path: place)
        return bytes
    }

    private static func schema(in document: PrefsDocument, path: String) throws(PrefsError) -> ProgramSchema {
        let root = document.root
        guard root["properties"] != nil || root.text("type") == "object" else {
            throw PrefsError(
                .syntax, origin: PrefsOrigin(file: path, position: root.position),
                reason: "not a preferences schema; expected a JSON Schema with “properties”")
        }
        var schema = ProgramSchema(keys: DeclaredKeys(try keys(of: root, under: nil, in: path)), path: path)
        if let program = root["x-prefs"], program.kind == .dictionary {
            schema.environmentPrefix = program.text("environmentPrefix")
            schema.locations = try PrefsFileLocations(schema: program, path: path)
        }
        return schema
    }

    private static func keys(
        of group: PrefsNode, under prefix: PrefsPath?, in file: String
    ) throws(PrefsError) -> [PrefsKeyDescription] {
        guard let properties = group["properties"] else { return [] }
        guard properties.kind == .dictionary else {
            throw error(
                "expected a dictionary as “properties”, found \(properties.kind)", properties, prefix, file)
        }
        var keys: [PrefsKeyDescription] = []
        for (name, node) in properties.entries where !node.isFormerName {
            let path = prefix?.appending(name) ?? PrefsPath.topLevel(name)
            // In place of a schema, `true` allows any value, and `false` none.
            if node.kind == .bool, node.value == false { continue }
            guard node.kind == .dictionary || node.kind == .bool else {
                throw error("expected the schema of a key, found \(node.kind)", node, path, file)
            }
            if let type = node.text("type"), !types.contains(type) {
                let hint = SpellingSuggestion.hint(SpellingSuggestion.nearest(to: type, among: types))
                throw error("“\(type)” is no type of JSON Schema\(hint)", node["type"], path, file)
            }
            let isGroup = node["properties"] != nil && node["x-prefs"] == nil
            keys +=
                isGroup
                ? try self.keys(of: node, under: path, in: file) : [PrefsKeyDescription(path.name, node)]
        }
        return keys
    }

    private static let types = ["string", "boolean", "integer", "number", "array", "object", "null"]

    private static func error(_ reason: String, _ node: PrefsNode?, _ path: PrefsPath?, _ file: String)
        -> PrefsError
    {
        PrefsError(
            .syntax, key: path?.name, origin: PrefsOrigin(file: file, position: node?.position),
            reason: reason)
    }
}

extension PrefsKeyDescription {
    fileprivate init(_ name: String, _ node: PrefsNode) {
        let extras = node["x-prefs"]
        let type = PrefsStoredType(node)
        let limits = PrefsStoredType.Limits(node, type)
        let fallback = node["default"].flatMap { $0.value(as: type) }
        var key = PersistentKey<PrefsValue?>(
            name, defaultValue: fallback, coding: SchemaCoding(type: type),
            .validate { value in value.flatMap { limits.complaint(about: $0, of: type) } },
            .merge(extras?.text("merge") == "deep" ? .deep : .replacing))
        key.traits.formerNames = extras?["formerNames"]?.texts ?? []
        key.traits.environmentName =
            extras?.text("environment").flatMap { Self.declared($0, for: name) }
        key.traits.isSecret = extras?.flag("secret") ?? node.flag("writeOnly") ?? false
        key.traits.needsRestart = extras?.flag("needsRestart") ?? false
        key.traits.documentation = node.text("description")
        key.traits.condition = extras?.text("condition")
        self.init(key)
        self.limits = limits
        isRequired = extras?.flag("required") ?? false
        section = extras?.text("section").map { Section(name: $0) }
    }
}

extension PrefsKeyDescription {
    /// Returns the variable unless, apart from its prefix, it is the one derived from the key.
    private static func declared(_ variable: String, for key: String) -> String? {
        variable.hasSuffix(EnvironmentName.name(forKey: key, prefix: "")) ? nil : variable
    }
}

extension PrefsStoredType {
    /// Creates the type from its description among the extras, else from the standard keywords of JSON Schema.
    fileprivate init(_ node: PrefsNode) {
        if let type = node["x-prefs"]?.text("type").flatMap(PrefsStoredType.init(description:)) {
            self = type
            return
        }
        switch node.text("type") {
        case "string" where node.text("contentEncoding") == "base64": self = .data
        case "string" where node.text("format") == "date-time": self = .date
        case "string": self = .string
        case "boolean": self = .bool
        case "integer": self = .integer
        case "number": self = .real
        case "array": self = .array(of: node["items"].map { PrefsStoredType($0) } ?? .any)
        case "object" where node["properties"] != nil:
            self = .structure(
                fields: node.structureFields, isComplete: node.flag("additionalProperties") == false)
        case "object":
            self = .dictionary(of: node["additionalProperties"].map { PrefsStoredType($0) } ?? .any)
        default: self = .any
        }
    }
}

extension PrefsStoredType.Limits {
    fileprivate init(_ node: PrefsNode, _ type: PrefsStoredType) {
        self.init()
        let bounds = type == .duration || type == .byteCount ? node["x-prefs"] : node
        minimum = bounds?["minimum"]?.value(as: type)
        maximum = (bounds?["maximum"] ?? bounds?["exclusiveMaximum"])?.value(as: type)
        excludesMaximum = bounds?["maximum"] == nil && bounds?["exclusiveMaximum"] != nil
        values = node["enum"]?.elements.compactMap { $0.value(as: type) }
    }
}

extension PrefsNode {
    /// True for a property that stands for a key's former name, which the key itself states.
    fileprivate var isFormerName: Bool { self["x-prefs"]?["renamed"] != nil }

    fileprivate var structureFields: [PrefsStoredType.Field] {
        guard let properties = self["properties"], properties.kind == .dictionary else { return [] }
        let required = self["required"]?.texts ?? []
        return properties.entries.map { name, part in
            let type = PrefsStoredType(part)
            return PrefsStoredType.Field(
                name: name, type: type, isRequired: required.contains(name),
                limits: PrefsStoredType.Limits(part, type), documentation: part.text("description"))
        }
    }

    fileprivate var texts: [String] {
        elements.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }

    /// Returns the value as this type; dates, data and infinities, which JSON cannot express, are parsed from
    /// text.
    fileprivate func value(as type: PrefsStoredType) -> PrefsValue? {
        let value = value
        if let exact = type.value(of: value) { return exact }
        if case .string(let text) = value { return type.value(ofText: text) }
        return nil
    }
}
