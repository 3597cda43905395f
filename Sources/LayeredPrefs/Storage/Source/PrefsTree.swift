import PrefsDocuments

/// A source's values by key path.
///
/// A view of its source, which keeps the index of literal keys, so creating one allocates nothing.
struct PrefsTree {
    private let source: PrefsSource

    init(_ source: PrefsSource) { self.source = source }

    var root: PrefsContent { source.root }

    var literalKeys: LiteralKeys { source.literalKeys }

    /// True if the storage states more about its values than the values.
    var hasCandidates: Bool { source.candidates != nil }
}

extension PrefsTree: SourceContents {
    var variablePrefix: String? { nil }

    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        value(at: path)
    }

    func hasValue(at path: PrefsPath, claims: VariableClaims) -> Bool {
        ownValue(at: path).map { !$0.isRejected } ?? false
    }

    func mayHoldOwnValue(at path: PrefsPath, claims: VariableClaims) -> Bool {
        if path.isNested, root[path.name] != nil { return true }
        return nested(path).map { $0.kind != .dictionary || $0.count == 0 } ?? false
    }

    func forEachKey(below path: PrefsPath, claims: VariableClaims, _ body: (PrefsPath) -> Void) {
        forEachLeaf(below: path, body)
    }
}

extension PrefsTree {
    /// Returns the value at a path: that of its literal spelling, or else of the nested one.
    ///
    /// Dictionaries include the entries that literal keys such as `http.port` contribute.
    ///
    ///     {"http.port": 1, "http": {"port": 2}}       http.port is 1
    ///     {"http": {"port": 2}}                       http.port is 2
    ///     {"http": "off"}                             http.port is rejected: blocked by http
    ///
    ///     {"http": {"host": "a"}, "http.port": 1}     http is {"host": "a", "port": 1}
    ///     {"http": {"port": 2}, "http.port": 1}       http is {"port": 1}
    ///     {"http.port": 1}                            http is {"port": 1}
    func value(at path: PrefsPath) -> LocatedValue? {
        if let literal = root[path.name] { return stored(literal, at: path) }
        guard path.isNested else { return assembled(at: path) }
        var content = root
        for (depth, key) in path.components.enumerated() {
            guard content.kind == .dictionary else {
                return assembled(at: path) ?? blocked(path, by: content, at: depth)
            }
            guard let next = content[key] else { return assembled(at: path) }
            content = next
        }
        return stored(content, at: path)
    }

    /// Returns the value of a key whose dots are ordinary characters.
    func literalValue(at path: PrefsPath) -> LocatedValue? {
        root[path.name].map { located($0.value, $0, at: path) }
    }

    /// Returns the value of a path itself. A dictionary is one only if it is empty or spelled literally;
    /// otherwise it merely contains other keys.
    func ownValue(at path: PrefsPath) -> LocatedValue? {
        guard let found = value(at: path) else { return nil }
        if found.isRejected { return found }
        guard let content = found.content else { return nil }
        let isOwn = content.kind != .dictionary || hasLiteralSpelling(path) || isEmpty(content, at: path)
        return isOwn ? found : nil
    }

    private func stored(_ content: PrefsContent, at path: PrefsPath) -> LocatedValue {
        let value = content.kind == .dictionary ? completed(content.value, at: path) : content.value
        return located(value, content, at: path)
    }

    /// Returns the dictionary that literal keys alone make up.
    private func assembled(at path: PrefsPath) -> LocatedValue? {
        if literalKeys.isEmpty { return nil }
        guard case .dictionary(let content) = completed([:], at: path), !content.isEmpty else { return nil }
        return located(.dictionary(content), nil, at: path)
    }

    /// Returns the non-dictionary that blocks a path. Text has no type yet, so it blocks nothing.
    private func blocked(_ path: PrefsPath, by content: PrefsContent, at depth: Int) -> LocatedValue? {
        if source.isText || candidate(at: path)?.isText == true { return nil }
        let place = PrefsPath(components: Array(path.components.prefix(depth)))
        let reason = "expected a dictionary, found \(content.kind) at \(place.name)"
        var found = located(content.value, content, at: path, spelling: place.name)
        if !found.isRejected { found.rejection = PrefsError(.wrongType, reason: reason) }
        return found
    }

    private func located(
        _ value: PrefsValue, _ content: PrefsContent?, at path: PrefsPath, spelling: String? = nil
    ) -> LocatedValue {
        var found = LocatedValue(
            value: value, isText: source.isText, content: content, path: path,
            spelling: spelling ?? path.name, file: source.file)
        guard source.candidates != nil else { return found }
        guard let candidate = candidate(at: path) else {
            found.isText = source.isText || isTextBelow(path, content)
            return found
        }
        found.isText = source.isText || candidate.isText
        found.rejection = candidate.rejection
        found.statedOrigin = candidate.origin
        return found
    }

    /// The candidate from whose value the value at a path comes, if the storage gave candidates.
    private func candidate(at path: PrefsPath) -> PrefsCandidate? {
        guard let candidates = source.candidates else { return nil }
        return candidates[path.name] ?? candidates[path.components[0]]
    }

    /// Returns true for a dictionary that consists of literal keys, if one of them is text.
    private func isTextBelow(_ path: PrefsPath, _ content: PrefsContent?) -> Bool {
        guard content == nil, let candidates = source.candidates else { return false }
        return literalKeys.below(path).contains { candidates[$0.name]?.isText == true }
    }

    private func completed(_ value: PrefsValue, at path: PrefsPath) -> PrefsValue {
        var value = value
        for literal in literalKeys.below(path) {
            guard let content = root[literal.name], source.candidates?[literal.name]?.rejection == nil else {
                continue
            }
            // A non-dictionary on the path is a value of its own, which no key below it may hide.
            let place = literal.components.dropFirst(path.components.count)
            if !value.isBlocked(on: place) { value.insert(content.value, at: place) }
        }
        return value
    }

    /// Returns true if nothing lies below a path, neither in the dictionary nor in literal keys.
    private func isEmpty(_ dictionary: PrefsContent, at path: PrefsPath) -> Bool {
        dictionary.count == 0 && !literalKeys.areAny(below: path)
    }

    /// The paths of all values that are not dictionaries, and of empty dictionaries.
    var leaves: [PrefsPath] {
        var leaves: [PrefsPath] = []
        root.forEachEntry { key, content in content.forEachLeaf(at: PrefsPath(key)) { leaves.append($0) } }
        return leaves
    }

    func hasLiteralSpelling(_ path: PrefsPath) -> Bool { path.isNested && root[path.name] != nil }
}

extension PrefsTree {
    func unknownKeys(against known: KnownKeys, under tops: Set<String>?) -> UnknownKeys {
        var found = UnknownKeys()
        guard let tops else {
            root.forEachEntry { known.collectUnknown($1, at: PrefsPath($0), into: &found) }
            return found
        }
        for top in tops {
            for place in [PrefsPath(components: [top])] + literalKeys.below(PrefsPath(top)) {
                if let content = root[place.name] { known.collectUnknown(content, at: place, into: &found) }
            }
        }
        return found
    }
}

extension KnownKeys {
    fileprivate func collectUnknown(
        _ content: PrefsContent, at path: PrefsPath, into found: inout UnknownKeys
    ) {
        // Positions are slow to compute and needed only for the keys that are listed.
        func unknown(_ presentName: String? = nil) -> UnknownKey {
            let origin = PrefsOrigin(position: content.position, spelling: path.name)
            return UnknownKey(key: path.name, origin: origin, presentName: presentName)
        }
        switch standing(of: path) {
        case .declared: break
        case .renamed(let present): found.add(unknown(present))
        case .aboveDeclared where content.kind == .dictionary, .structure where content.kind == .dictionary:
            content.forEachEntry { collectUnknown($1, at: path.appending($0), into: &found) }
        // A struct's value of another kind is rejected, but it is not unknown.
        case .structure: break
        case .aboveDeclared, .unknown: found.add(unknown())
        }
    }
}
