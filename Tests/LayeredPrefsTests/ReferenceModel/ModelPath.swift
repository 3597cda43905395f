/// A key: a name or a dotted path (DESIGN "Keys").
struct ModelPath: Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    let components: [String]
    /// The literal spelling, `http.port`.
    let description: String

    init(_ dotted: String) { self.init(components: dotted.split(separator: ".").map(String.init)) }
    init(stringLiteral value: String) { self.init(value) }
    init(components: [String]) {
        self.components = components
        description = components.joined(separator: ".")
    }

    static func == (lhs: ModelPath, rhs: ModelPath) -> Bool { lhs.components == rhs.components }
    func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Whether `other` is this path or lies beneath it, component by component: `http` covers `http.port`
    /// and not `http2`.
    func covers(_ other: ModelPath) -> Bool { other.components.starts(with: components) }

    /// Whether `other` lies beneath this path and is not it.
    func isAncestor(of other: ModelPath) -> Bool { covers(other) && other != self }

    /// What of `descendant` lies beneath this path.
    func rest(of descendant: ModelPath) -> ArraySlice<String> {
        descendant.components.dropFirst(components.count)
    }

    /// The path and everything above it.
    var prefixes: [ModelPath] {
        (1...components.count).map { ModelPath(components: Array(components.prefix($0))) }
    }

    func appending(_ rest: some Collection<String>) -> ModelPath {
        ModelPath(components: components + rest)
    }
}

/// How one source spells a key: "`http.port` is a literal key `http.port`, or else `port` in the dictionary
/// `http`" (DESIGN "Keys").
enum ModelSpelling: String, Sendable, Hashable, Codable {
    case literal, nested
}

/// What one source says of a key.
enum ModelFinding: Hashable {
    case absent
    case found(ModelValue, ModelSpelling)
    /// "A non-dictionary on the path is a rejected candidate for the keys beneath" (DESIGN "Keys").
    case blocked(at: ModelPath)
}

/// The contents of one source, read by key.
struct ModelContents {
    let entries: [String: ModelValue]
    /// The dotted keys among the entries, shorter ones first.
    let literals: [ModelPath]
    let twists: Set<ModelTwist>
    let tally: ModelTally

    /// The key itself, in its two spellings, the literal before the nested; "no mixtures" (DESIGN "Keys").
    func find(_ path: ModelPath) -> ModelFinding {
        let nested = findNested(path)
        if path.components.count == 1 { return nested }
        if let literal = entries[path.description] {
            if case .found(let value, _) = nested, value != literal {
                tally.hit(.literalBeatsNested)
                if twists.contains(.nestedBeatsLiteral) { return nested }
            }
            tally.hit(.literalSpelling)
            return .found(literal, .literal)
        }
        if case .absent = nested, let mixed = findMixture(path) {
            tally.hit(.mixtureIsNotRead)
            if twists.contains(.mixturesAreRead) { return .found(mixed, .nested) }
        }
        return nested
    }

    /// The key and what the literal spellings of keys beneath it add: `http` in a file that says only
    /// `http.port` is a dictionary with a `port`, because "layers merge by key path" (DESIGN "Keys").
    func view(_ path: ModelPath) -> ModelFinding {
        let own = find(path)
        let beneath = literals.filter(path.isAncestor)
        guard !beneath.isEmpty else { return own }
        if case .found(let value, _) = own, value.entries == nil { return own }
        var value: ModelValue = [:]
        var spelling = ModelSpelling.literal
        if case .found(let found, let how) = own { (value, spelling) = (found, how) }
        for literal in beneath {
            let rest = path.rest(of: literal)
            if value.isBlocked(on: rest), !twists.contains(.literalDisplacesNonDictionary) { continue }
            value = value.putting(entries[literal.description] ?? [:], at: rest)
        }
        tally.hit(.literalJoinsAncestor)
        if twists.contains(.literalsDoNotJoinAncestors) { return own }
        return .found(value, spelling)
    }

    private func findNested(_ path: ModelPath) -> ModelFinding {
        var here = ModelValue.dictionary(entries)
        for (depth, component) in path.components.enumerated() {
            guard let content = here.entries else {
                return .blocked(at: ModelPath(components: Array(path.components.prefix(depth))))
            }
            guard let next = content[component] else { return .absent }
            here = next
        }
        return .found(here, .nested)
    }

    /// What a literal key for a part of the path holds at the rest: never an answer, only noticed.
    private func findMixture(_ path: ModelPath) -> ModelValue? {
        for depth in 2..<max(2, path.components.count) {
            let head = path.components.prefix(depth).joined(separator: ".")
            if let found = entries[head]?.at(path.components.dropFirst(depth)) { return found }
        }
        return nil
    }
}
