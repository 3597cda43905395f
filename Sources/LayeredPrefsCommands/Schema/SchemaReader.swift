import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsReference

/// Reads one schema: its keys, and the keywords that the library does not check.
struct SchemaReader {
    let root: PrefsNode
    let file: String
    /// The first place of each keyword that the library does not check.
    private var unchecked: [(keyword: String, error: PrefsError)] = []

    init(root: PrefsNode, file: String) {
        self.root = root
        self.file = file
    }

    mutating func schema() throws(PrefsError) -> ProgramSchema {
        let top = try resolved(root, in: ["#"], nil)
        guard top["properties"] != nil || top.text("type") == "object" else {
            throw PrefsError(
                .syntax, origin: PrefsOrigin(file: file, position: root.position),
                reason: "not a preferences schema; expected a JSON Schema with “properties”")
        }
        let keys = try keys(of: top, under: nil, section: nil)
        var schema = ProgramSchema(keys: DeclaredKeys(keys), path: file, unchecked: unchecked.map(\.error))
        if let program = root["x-prefs"], program.kind == .dictionary {
            schema.environmentPrefix = program.text("environmentPrefix")
            schema.locations = try PrefsFileLocations(schema: program, path: file)
        }
        return schema
    }

    /// - Parameter section: The nearest enclosing group that is optional; `nil` if all are required.
    private mutating func keys(
        of group: SchemaNode, under prefix: PrefsPath?, section: String?
    ) throws(PrefsError) -> [PrefsKeyDescription] {
        noteUnchecked(in: group, prefix)
        guard let properties = group["properties"] else { return [] }
        guard properties.kind == .dictionary else {
            throw error("expected a dictionary as “properties”, found \(properties.kind)", properties, prefix)
        }
        if let others = group["additionalProperties"], others.kind == .dictionary {
            note("additionalProperties", others, prefix, " beside “properties”")
        }
        var keys: [PrefsKeyDescription] = []
        for (name, node) in properties.entries where !node.isFormerName {
            let path = prefix?.appending(name) ?? PrefsPath.topLevel(name)
            // JSON Schema allows a Boolean instead of a schema: `true` allows any value, and `false` none.
            if node.kind == .bool, node.value == false { continue }
            let schema = try resolved(node, in: group.references, path)
            let isRequired = group.requires(name)
            if schema["properties"] != nil, schema["x-prefs"] == nil,
                try typeNames(of: schema, path) == ["object"]
            {
                keys += try self.keys(of: schema, under: path, section: isRequired ? section : path.name)
                continue
            }
            var key = PrefsKeyDescription(path.name, schema, try rules(of: schema, path))
            if isRequired, schema["x-prefs"] == nil, key.defaultValue == nil {
                key.isRequired = true
                key.section = section.map { PrefsKeyDescription.Section(name: $0) }
            }
            keys.append(key)
        }
        return keys
    }
}

extension SchemaReader {
    /// The parts that a schema describes: properties, other entries, and elements.
    private struct Parts {
        var properties: [(name: String, schema: SchemaNode, rules: SchemaRules)] = []
        var others: SchemaRules?
        var elements: SchemaRules?
    }

    private mutating func rules(of schema: SchemaNode, _ path: PrefsPath) throws(PrefsError) -> SchemaRules {
        noteUnchecked(in: schema, path)
        let parts = try parts(of: schema, path)
        let names = try typeNames(of: schema, path)
        let stated = schema["x-prefs"]?.text("type").flatMap(PrefsStoredType.init(description:))
        let types = stated.map { [$0] } ?? names.map { Self.type(named: $0, of: schema, parts) }
        let type = types.count == 1 ? types[0] : .any
        let alternatives = types.count > 1 ? types : []
        var conditions = alternatives.isEmpty ? [] : [SchemaCondition.oneOf(alternatives)]
        // A quantity's keywords are only meant for editors, which do not know the type.
        if !type.isQuantity { conditions += makeConditions(of: schema, path) }
        return SchemaRules(
            type: type, alternatives: alternatives, limits: PrefsStoredType.Limits(schema, type),
            conditions: conditions,
            properties: Dictionary(uniqueKeysWithValues: parts.properties.map { ($0.name, $0.rules) }),
            others: parts.others, elements: parts.elements)
    }

    private mutating func parts(of schema: SchemaNode, _ path: PrefsPath) throws(PrefsError) -> Parts {
        var parts = Parts()
        for (name, node) in schema["properties"]?.entries.map({ $0 }) ?? [] {
            let part = try resolved(node, in: schema.references, path)
            parts.properties.append((name, part, try rules(of: part, path)))
        }
        parts.others = try part("additionalProperties", of: schema, path)
        parts.elements = try part("items", of: schema, path)
        return parts
    }

    private mutating func part(
        _ keyword: String, of schema: SchemaNode, _ path: PrefsPath
    ) throws(PrefsError) -> SchemaRules? {
        guard let node = schema[keyword], node.kind != .bool else { return nil }
        if node.kind == .array {
            note(keyword, node, path, ": expected one schema, found an array")
            return nil
        }
        return try rules(of: try resolved(node, in: schema.references, path), path)
    }

    private static func type(named name: String, of schema: SchemaNode, _ parts: Parts) -> PrefsStoredType {
        switch name {
        case "string" where schema.text("contentEncoding") == "base64": .data
        case "string" where schema.text("format") == "date-time": .date
        case "string": .string
        case "boolean": .bool
        case "integer": .integer
        case "number": .real
        case "array": .array(of: parts.elements?.type ?? .any)
        case "object" where schema["properties"] != nil:
            .structure(
                fields: parts.properties.map { name, part, rules in
                    PrefsStoredType.Field(
                        name: name, type: rules.type, isRequired: schema.requires(name),
                        limits: rules.limits, documentation: part.text("description"))
                }, isComplete: schema.flag("additionalProperties") == false)
        case "object": .dictionary(of: parts.others?.type ?? .any)
        default: .any
        }
    }

    private mutating func makeConditions(of schema: SchemaNode, _ path: PrefsPath) -> [SchemaCondition] {
        var conditions: [SchemaCondition] = []
        for (keyword, node) in schema.keywords {
            guard let make = SchemaCondition.keywords[keyword] else { continue }
            // Without `maximum`, `exclusiveMaximum` is already the upper bound of the limits.
            if keyword == "exclusiveMaximum", schema["maximum"] == nil, node.kind != .bool { continue }
            do throws(PrefsMismatch) {
                if let condition = try make(node.value) { conditions.append(condition) }
            } catch {
                note(keyword, node, path, ": expected \(error.expected), found \(node.value)")
            }
        }
        return conditions
    }

    /// Returns the names of the types that a schema lists, without `null`. Returns none if the schema allows any
    /// value.
    private func typeNames(of schema: SchemaNode, _ path: PrefsPath) throws(PrefsError) -> [String] {
        guard let node = schema["type"] else { return schema["properties"] == nil ? [] : ["object"] }
        let names = node.kind == .array ? node.texts : schema.text("type").map { [$0] } ?? []
        for name in names where !Self.types.contains(name) {
            let hint = SpellingSuggestion.hint(SpellingSuggestion.nearest(to: name, among: Self.types))
            throw error("“\(name)” is not a type of JSON Schema\(hint)", node, path)
        }
        return names.filter { $0 != "null" }
    }

    private static let types = ["string", "boolean", "integer", "number", "array", "object", "null"]

    private func error(_ reason: String, _ node: PrefsNode?, _ path: PrefsPath?) -> PrefsError {
        PrefsError(
            .syntax, key: path?.name, origin: PrefsOrigin(file: file, position: node?.position),
            reason: reason)
    }
}

extension SchemaReader {
    /// Returns the schema at a node, together with the schemas that it refers to.
    ///
    /// - Parameter references: The references that lead to the enclosing schema.
    private mutating func resolved(
        _ node: PrefsNode, in references: [String], _ path: PrefsPath?
    ) throws(PrefsError) -> SchemaNode {
        var schema = SchemaNode(node, references: references)
        while let last = schema.nodes.last {
            guard last.kind == .dictionary || last.kind == .bool else {
                throw error("expected the schema of a key, found \(last.kind)", last, path)
            }
            guard last.kind == .dictionary, let link = last["$ref"], case .string(let reference) = link.value
            else {
                break
            }
            guard !schema.references.contains(reference) else {
                note("$ref", link, path, ": it refers to a schema around it")
                break
            }
            guard reference == "#" || reference.hasPrefix("#/") else {
                note(
                    "$ref", link, path,
                    ": expected a path in the file such as “#/$defs/port”, found “\(reference)”")
                break
            }
            guard let target = root.target(of: reference) else {
                throw error("“\(reference)” is not in the schema", link, path)
            }
            schema.refer(to: target, by: reference)
        }
        return schema
    }

    /// Records the keywords of a schema that nothing here checks.
    private mutating func noteUnchecked(in schema: SchemaNode, _ path: PrefsPath?) {
        for (keyword, node) in schema.keywords
        where !Self.known.contains(keyword) && SchemaCondition.keywords[keyword] == nil
            && !keyword.hasPrefix("x-")
        {
            // Patterns of names that allow any value. They only tell an editor to accept these names.
            if keyword == "patternProperties", node.entries.allSatisfy({ $0.value.count == 0 }) { continue }
            note(keyword, node, path)
        }
    }

    /// The keywords that make types and limits, and the keywords that require nothing of a value.
    private static let known: Set<String> = [
        "type", "properties", "additionalProperties", "items", "required", "enum", "const", "minimum",
        "maximum", "$ref", "contentEncoding",
        "$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples",
        "deprecated", "readOnly", "writeOnly",
    ]

    private mutating func note(
        _ keyword: String, _ node: PrefsNode, _ path: PrefsPath?, _ detail: String = ""
    ) {
        if unchecked.contains(where: { $0.keyword == keyword }) { return }
        var error = error("the keyword “\(keyword)” is not checked\(detail)", node, path)
        error.code = .invalid
        unchecked.append((keyword, error))
    }
}

/// A schema within a file, followed by the schemas that its `$ref` leads to.
struct SchemaNode {
    private(set) var nodes: [PrefsNode]
    /// The references that have been followed on the way from the root.
    private(set) var references: [String]

    init(_ node: PrefsNode, references: [String]) {
        nodes = [node]
        self.references = references
    }

    mutating func refer(to target: PrefsNode, by reference: String) {
        nodes.append(target)
        references.append(reference)
    }

    /// The value of a keyword, from the schema itself or from a schema that it refers to.
    subscript(keyword: String) -> PrefsNode? { nodes.lazy.compactMap { $0[keyword] }.first }

    /// The keywords that count: the first occurrence of each.
    var keywords: [(String, PrefsNode)] {
        var seen: Set<String> = []
        return nodes.flatMap { node in node.entries.map { ($0.key, $0.value) } }.filter {
            seen.insert($0.0).inserted
        }
    }

    func text(_ keyword: String) -> String? { nodes.lazy.compactMap { $0.text(keyword) }.first }

    func flag(_ keyword: String) -> Bool? { nodes.lazy.compactMap { $0.flag(keyword) }.first }

    func requires(_ name: String) -> Bool { self["required"]?.texts.contains(name) ?? false }
}

extension PrefsKeyDescription {
    fileprivate init(_ name: String, _ schema: SchemaNode, _ rules: SchemaRules) {
        let extras = schema["x-prefs"]
        let fallback = schema["default"].flatMap { $0.value(as: rules.type) }
        var key = PersistentKey<PrefsValue?>(
            name, defaultValue: fallback, coding: SchemaCoding(type: rules.type, rules: rules),
            .validate { value in value.flatMap { rules.complaint(about: $0) } },
            .merge(extras?.text("merge") == "deep" ? .deep : .replacing))
        key.traits.formerNames = extras?["formerNames"]?.texts ?? []
        key.traits.environmentName =
            extras?.text("environment").flatMap { Self.declared($0, for: name) }
        key.traits.isSecret = extras?.flag("secret") ?? schema.flag("writeOnly") ?? false
        key.traits.needsRestart = extras?.flag("needsRestart") ?? false
        key.traits.documentation = schema.text("description")
        key.traits.condition = extras?.text("condition") ?? rules.summary
        self.init(key)
        limits = rules.limits
        isRequired = extras?.flag("required") ?? false
        section = extras?.text("section").map { Section(name: $0) }
    }

    /// Returns the variable, or `nil` if, apart from its prefix, it is the variable that the key would get anyway.
    private static func declared(_ variable: String, for key: String) -> String? {
        variable.hasSuffix(EnvironmentName.name(forKey: key, prefix: "")) ? nil : variable
    }
}

extension PrefsStoredType {
    /// True if the type's values have an order that JSON Schema cannot express.
    fileprivate var isQuantity: Bool { self == .duration || self == .byteCount }
}

extension PrefsStoredType.Limits {
    fileprivate init(_ schema: SchemaNode, _ type: PrefsStoredType) {
        self.init()
        func bound(_ keyword: String) -> PrefsValue? {
            let node = type.isQuantity ? schema["x-prefs"]?[keyword] : schema[keyword]
            // A bound may be the other kind of number.
            return node.flatMap {
                $0.value(as: type) ?? ([.integer, .real].contains($0.kind) ? $0.value : nil)
            }
        }
        minimum = bound("minimum")
        maximum = bound("maximum") ?? bound("exclusiveMaximum")
        excludesMaximum = bound("maximum") == nil && maximum != nil
        values = schema["enum"]?.elements.compactMap { $0.value(as: type) }
        if values == nil, let only = schema["const"]?.value(as: type) { values = [only] }
    }
}

extension PrefsNode {
    /// True for a property that is a former name of a key. The key itself lists its former names.
    fileprivate var isFormerName: Bool { self["x-prefs"]?["renamed"] != nil }

    fileprivate var texts: [String] {
        elements.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }

    /// Returns the node that a JSON pointer leads to (RFC 6901, section 6).
    fileprivate func target(of reference: String) -> PrefsNode? {
        reference.split(separator: "/").dropFirst().reduce(self as PrefsNode?) { node, name in
            node?[String(name).replacing("~1", with: "/").replacing("~0", with: "~")]
        }
    }

    /// Returns the value as this type. Dates, data and infinities are parsed from text, because JSON cannot
    /// express them.
    fileprivate func value(as type: PrefsStoredType) -> PrefsValue? {
        let value = value
        if let exact = type.value(of: value) { return exact }
        if case .string(let text) = value { return type.value(ofText: text) }
        return nil
    }
}
