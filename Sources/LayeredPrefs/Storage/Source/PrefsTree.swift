import PrefsDocuments

/// A source's values by key path.
///
/// It is a view of its source, so creating one allocates nothing.
struct PrefsTree {
    private let source: PrefsSource

    init(_ source: PrefsSource) { self.source = source }
}

extension PrefsTree: SourceContents {
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        value(at: path)
    }

    func mayHoldOwnValue(at path: PrefsPath, claims: VariableClaims) -> Bool {
        contents(at: path).contains { $0.path == path && $0.content.isLeaf }
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
    ///     {"http": "off", "http.port": 1}             the same
    func value(at path: PrefsPath) -> LocatedValue? {
        let (found, depth) = source.find(path)
        guard let found else { return nil }
        if depth == path.components.count { return located(found, at: path) }
        let place = PrefsPath(components: Array(path.components.prefix(depth)))
        var blocking = located(found, at: path, spelling: place.name)
        if !blocking.isRejected { blocking.rejection = .notADictionary(found.kind, at: place) }
        return blocking
    }

    /// Returns the value at a path; `nil` if there is none, if it is rejected for every type, or if something
    /// blocks the path.
    func acceptableValue(at path: PrefsPath) -> PrefsValue? {
        guard let found = value(at: path), !found.isRejected else { return nil }
        return found.value
    }

    /// Returns the value of a key whose dots are ordinary characters.
    func literalValue(at path: PrefsPath) -> LocatedValue? {
        source.spelled[path.literalKey].map { located($0, at: path) }
    }

    /// Returns the value of a path itself. A dictionary is a value only if it is empty. Otherwise, it only
    /// contains other keys.
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

    private typealias Place = (path: PrefsPath, content: PrefsContent)

    /// Returns the content at a path, and the dotted keys at and below it that have a text above them.
    private func contents(at path: PrefsPath) -> [Place] {
        let found = path.components.isEmpty ? source.root : source.lookup[path]
        return (found.map { [(path, $0)] } ?? []) + source.behindTexts(below: path, found)
    }

    /// The top-level entries, and the dotted keys that have a text above them.
    private var tops: [Place] {
        let root = source.root
        return root.entries.map { (PrefsPath.topLevel($0.key), $0.content) }
            + source.behindTexts(below: PrefsPath(components: []), root)
    }
}

extension PrefsTree {
    func unknownKeys(against known: KnownKeys) -> UnknownKeys {
        var found = UnknownKeys()
        // A dictionary in memory has no order. It is sorted, so that the same keys are listed each time.
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
        // A value in place of a dictionary of declared keys is not unknown either: these keys are rejected
        // because of it. Text blocks no key.
        case .aboveDeclared
        where content.kind != .dictionary && !areTexts && content.candidate?.isText != true:
            break
        case .aboveDeclared, .unknown:
            // A dictionary that consists only of dotted keys has no position of its own, so its entries are
            // listed.
            guard case .joined(let joined) = content, joined.base == nil else { return found.add(unknown()) }
            for (key, part) in joined.entries {
                collectUnknown(part, at: path.appending(key), areTexts: areTexts, into: &found)
            }
        }
    }
}

extension PrefsError {
    /// Creates the error of a key whose path is blocked by something that is not a dictionary.
    static func notADictionary(_ kind: PrefsValue.Kind, at place: PrefsPath) -> PrefsError {
        PrefsError(.wrongType, reason: "expected a dictionary, found \(kind) at \(place.name)")
    }
}
