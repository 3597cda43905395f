import PrefsDocuments

/// A source's values by key path.
///
/// A view of its source, so creating one allocates nothing.
struct PrefsTree {
    private let source: PrefsSource

    init(_ source: PrefsSource) { self.source = source }
}

extension PrefsTree: SourceContents {
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        value(at: path)
    }

    func mayHoldOwnValue(at path: PrefsPath, claims: VariableClaims) -> Bool {
        contents(at: path).contains { $0.content.isLeaf }
    }

    func addKeys(below path: PrefsPath, claims: VariableClaims, to keys: inout PathList) {
        for place in contents(at: path) { place.content.addLeaves(at: place.path, to: &keys) }
    }
}

extension PrefsTree {
    /// Returns the value at a path.
    ///
    ///     {"http": {"port": 2}}                       http.port is 2
    ///     {"http": "off"}                             http.port is rejected: blocked by http
    ///     {"http": "off", "http.port": 1}             http.port is 1
    func value(at path: PrefsPath) -> LocatedValue? {
        var content = source.root(for: path)
        if let content = content.literalScalar(at: path) { return located(content, at: path) }
        for (depth, key) in path.components.enumerated() {
            guard content.kind == .dictionary else { return hidden(path, behind: content, at: depth) }
            guard let next = content[key] else { return nil }
            content = next
        }
        return located(content, at: path)
    }

    /// Returns the value at a path; `nil` also if it is wrong for every type, or something blocks the path.
    func acceptableValue(at path: PrefsPath) -> PrefsValue? {
        guard let found = value(at: path), !found.isRejected else { return nil }
        return found.value
    }

    /// Returns the value of a key whose dots are ordinary characters.
    func literalValue(at path: PrefsPath) -> LocatedValue? {
        source.spelled[path.literalKey].map { located($0, at: path) }
    }

    /// Returns the value of a path itself; a dictionary is one only if it is empty, otherwise it merely contains
    /// other keys.
    func ownValue(at path: PrefsPath) -> LocatedValue? {
        guard let found = value(at: path), !found.isBlocked else { return nil }
        return found.isRejected || found.content?.isLeaf == true ? found : nil
    }

    /// Returns true if there is anything at or below a path, even a rejected value.
    func hasContent(at path: PrefsPath) -> Bool { !contents(at: path).isEmpty }

    /// The paths of all values that are not dictionaries, and of empty dictionaries.
    var leaves: PathList {
        var leaves = PathList()
        for (path, content) in tops { content.addLeaves(at: path, to: &leaves) }
        return leaves
    }

    /// Returns the value of a path that a non-dictionary blocks: that of a literal key, or the rejected one of
    /// what blocks it. Text has no type yet, so it blocks nothing.
    private func hidden(_ path: PrefsPath, behind content: PrefsContent, at depth: Int) -> LocatedValue? {
        if let found = source.literalTree?.hidden(at: path).first { return located(found.content, at: path) }
        return blocking(path, content, at: depth)
    }

    /// Returns the rejected value of a path that a non-dictionary blocks, whatever a literal key says; `nil` if none does.
    func blocking(_ path: PrefsPath) -> LocatedValue? {
        source.root(for: path).block(on: path.components[...]).flatMap { content, depth in
            blocking(path, content, at: depth)
        }
    }

    private func blocking(_ path: PrefsPath, _ content: PrefsContent, at depth: Int) -> LocatedValue? {
        if source.isText || content.candidate?.isText == true { return nil }
        let place = PrefsPath(components: Array(path.components.prefix(depth)))
        var found = located(content, at: path, spelling: place.name)
        if !found.isRejected { found.rejection = .notADictionary(content.kind, at: place) }
        return found
    }

    private func located(
        _ content: PrefsContent, at path: PrefsPath, spelling: String? = nil
    ) -> LocatedValue {
        var found = LocatedValue(
            value: content.value, isText: source.isText, content: content, path: path,
            spelling: spelling ?? path.name, file: source.file)
        if content.containsText { found.isText = true }
        if let candidate = content.candidate {
            found.rejection = candidate.rejection
            found.statedOrigin = candidate.origin
        }
        return found
    }

    /// The top-level entries, and those that lie behind non-dictionaries.
    private var tops: [PrefsContent.Place] {
        let root = source.root
        return root.entries.map { (PrefsPath.topLevel($0.key), $0.content) }
            + root.hidden(at: PrefsPath(components: []))
    }

    /// Returns the content at a path, and those that lie behind non-dictionaries.
    private func contents(at path: PrefsPath) -> [PrefsContent.Place] {
        let root = source.root
        let hidden = root.hidden(at: path)
        return root[path.components[...]].map { [(path, $0)] + hidden } ?? hidden
    }
}

extension PrefsTree {
    func unknownKeys(against known: KnownKeys) -> UnknownKeys {
        var found = UnknownKeys()
        // Of a dictionary in memory, whose order changes, the same keys are listed each time.
        let tops = source.spelled.node == nil ? tops.sorted { $0.path.name < $1.path.name } : tops
        for (path, content) in tops {
            known.collectUnknown(content, at: path, areTexts: source.isText, into: &found)
        }
        return found
    }
}

extension KnownKeys {
    fileprivate func collectUnknown(
        _ content: PrefsContent, at path: PrefsPath, areTexts: Bool, into found: inout UnknownKeys
    ) {
        // Positions are slow to compute and needed only for the keys that are listed.
        func unknown(_ presentName: String? = nil) -> UnknownKey {
            let origin = PrefsOrigin(position: content.position, spelling: path.name)
            return UnknownKey(key: path.name, origin: origin, presentName: presentName)
        }
        switch standing(of: path, with: content) {
        case .declared: break
        case .renamed(let present): found.add(unknown(present))
        case .aboveDeclared where content.kind == .dictionary, .structure where content.kind == .dictionary:
            for (key, part) in content.entries {
                collectUnknown(part, at: path.appending(key), areTexts: areTexts, into: &found)
            }
        // A struct's value of another kind is rejected, but it is not unknown.
        case .structure: break
        // Neither is one in place of the dictionary of declared keys: these are rejected because of it. Text blocks no key.
        case .aboveDeclared
        where content.kind != .dictionary && !areTexts && content.candidate?.isText != true:
            break
        case .aboveDeclared, .unknown:
            // What only literal keys make up has no place of its own.
            guard case .grafted(let graft) = content, graft.isAssembled else { return found.add(unknown()) }
            for (key, part) in graft.all {
                collectUnknown(part, at: path.appending(key), areTexts: areTexts, into: &found)
            }
        }
    }
}

extension PrefsError {
    /// The error of a key whose path something that is no dictionary blocks.
    static func notADictionary(_ kind: PrefsValue.Kind, at place: PrefsPath) -> PrefsError {
        PrefsError(.wrongType, reason: "expected a dictionary, found \(kind) at \(place.name)")
    }
}
