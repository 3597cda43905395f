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

/// How a source spells a key: as the literal key `http.port`, or as `port` in the dictionary `http`.
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
    let source: ModelSource
    let mutations: Set<ModelMutation>
    let tally: ModelTally

    /// Looks up a key in the tree of the source.
    func view(_ path: ModelPath) -> ModelFinding {
        let spelling: ModelSpelling = isNested(path) ? .nested : .literal
        let value = source.value(at: path)
        count(path, value)
        if let value, !isHidden(path) { return .found(value, spelling) }
        if let block = source.block(above: path) {
            if source.literals.contains(where: path.covers) { tally.hit(.blockedLiteralIsRejected) }
            return .blocked(at: block)
        }
        return .absent
    }

    private func isHidden(_ path: ModelPath) -> Bool {
        mutations.contains(.literalDictionariesAreClosed) && isInLiteralDictionary(path)
    }

    /// Returns true if the path is a key in a dictionary of the file. A dictionary of the tree may also
    /// consist of literal keys alone.
    private func isNested(_ path: ModelPath) -> Bool {
        if source.literals.contains(path) { return false }
        guard let literal = source.literals.last(where: { $0.isAncestor(of: path) }) else {
            return ModelValue.dictionary(source.entries).at(path.components) != nil
        }
        return source.entries[literal.description]?.at(literal.rest(of: path)) != nil
    }

    private func isInLiteralDictionary(_ path: ModelPath) -> Bool {
        source.literals.contains { $0.isAncestor(of: path) } && !source.literals.contains(path)
    }

    private func count(_ path: ModelPath, _ value: ModelValue?) {
        guard let value else { return }
        if source.literals.contains(path) {
            tally.hit(.literalSpelling)
            let nested = ModelValue.dictionary(source.entries).at(path.components)
            if let nested, nested != value { tally.hit(.literalBeatsNested) }
        } else if isInLiteralDictionary(path) {
            tally.hit(.literalDictionaryIsEntered)
        }
        if value.entries != nil, source.literals.contains(where: path.isAncestor) {
            tally.hit(.literalJoinsAncestor)
        }
    }
}
