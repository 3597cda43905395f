/// A key: a name or a dotted path.
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

    /// True if `other` is this path or lies below it, component by component: `http` covers `http.port` but
    /// not `http2`.
    func covers(_ other: ModelPath) -> Bool { other.components.starts(with: components) }

    /// True if `other` lies below this path.
    func isAncestor(of other: ModelPath) -> Bool { covers(other) && other != self }

    /// Returns the components of `descendant` below this path.
    func rest(of descendant: ModelPath) -> ArraySlice<String> {
        descendant.components.dropFirst(components.count)
    }

    /// The path and its ancestors, shortest first.
    var prefixes: [ModelPath] {
        (1...components.count).map { ModelPath(components: Array(components.prefix($0))) }
    }

    func appending(_ rest: some Collection<String>) -> ModelPath {
        ModelPath(components: components + rest)
    }
}

/// The form in which one source stores a key: as the literal key `http.port`, or else as `port` in the
/// dictionary `http`.
enum ModelSpelling: String, Sendable, Hashable, Codable {
    case literal, nested
}

/// The result of looking up a key in one source.
enum ModelFinding: Hashable {
    case absent
    case found(ModelValue, ModelSpelling)
    /// A non-dictionary on the path is a rejected candidate for the keys below it.
    case blocked(at: ModelPath)
}

/// The contents of one source, read by key.
struct ModelContents {
    let entries: [String: ModelValue]
    /// The dotted keys among the entries, shorter ones first.
    let literals: [ModelPath]
    let mutations: Set<ModelMutation>
    let tally: ModelTally

    /// Looks up the key itself, in the literal spelling before the nested one.
    ///
    /// The two spellings do not mix: the literal key `http.tls` with the value `{cert: c}` defines no
    /// `http.tls.cert`.
    func find(_ path: ModelPath) -> ModelFinding {
        let nested = findNested(path)
        if path.components.count == 1 { return nested }
        if let literal = entries[path.description] {
            if case .found(let value, _) = nested, value != literal {
                tally.hit(.literalBeatsNested)
                if mutations.contains(.nestedBeatsLiteral) { return nested }
            }
            tally.hit(.literalSpelling)
            return .found(literal, .literal)
        }
        if case .absent = nested, let mixed = findMixture(path) {
            tally.hit(.mixtureIsNotRead)
            if mutations.contains(.mixturesAreRead) { return .found(mixed, .nested) }
        }
        return nested
    }

    /// Looks up the key and adds the literal keys below it, because layers merge by key path.
    ///
    /// A file that contains only the literal key `http.port = 1` gives `http = {port: 1}`. A literal key does
    /// not replace a non-dictionary above it: `http = {tls: off}` and the literal `http.tls.cert = c` give
    /// `http = {tls: off}`.
    func view(_ path: ModelPath) -> ModelFinding {
        let own = find(path)
        let below = literals.filter(path.isAncestor)
        guard !below.isEmpty else { return own }
        if case .found(let value, _) = own, value.entries == nil { return own }
        var value: ModelValue = [:]
        var spelling = ModelSpelling.literal
        if case .found(let found, let how) = own { (value, spelling) = (found, how) }
        for literal in below {
            let rest = path.rest(of: literal)
            if value.isBlocked(on: rest), !mutations.contains(.literalDisplacesNonDictionary) { continue }
            value = value.putting(entries[literal.description] ?? [:], at: rest)
        }
        tally.hit(.literalJoinsAncestor)
        if mutations.contains(.literalsDoNotJoinAncestors) { return own }
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

    /// Returns the value that a literal key for a part of the path holds at the rest. It is never an answer
    /// and only counted.
    private func findMixture(_ path: ModelPath) -> ModelValue? {
        for depth in 2..<max(2, path.components.count) {
            let head = path.components.prefix(depth).joined(separator: ".")
            if let found = entries[head]?.at(path.components.dropFirst(depth)) { return found }
        }
        return nil
    }
}
