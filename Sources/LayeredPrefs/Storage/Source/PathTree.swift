import PrefsDocuments
import PrefsSystem

/// The tree of key paths of a source whose top level spells some of the paths as literal keys.
///
/// The value of a literal key is put at its nested place, shorter keys first. It replaces a nested value, and joins
/// the dictionaries that are there. A value on the way that is not a dictionary stays what it is; the literal key
/// then lies *behind* it, where only a path that it blocks is looked up.
///
///     {"http.port": 1}                          {"http": {"port": 1}}
///     {"http": {"port": 2}, "http.port": 1}     {"http": {"port": 1}}
///     {"http": "off", "http.port": 1}           {"http": "off"}, and behind it {"http": {"port": 1}}
///
/// The literal keys are put in place when a top-level entry is first asked for. The next version of a tree shares the
/// lists of its literal keys and, in memory, the entries that did not change. Those of a file belong to the document.
final class PathTree: Sendable {
    /// The root as the source spells it.
    let spelled: PrefsContent
    /// The literal keys by top-level key.
    private let literals: HashTrie<[PrefsPath]>
    /// The entries of top-level keys with literal keys, as far as they have been asked for: the entry, then those that
    /// lie behind it, each of which is looked up if those before it block a path.
    private let grown: Lock<HashTrie<[PrefsContent]>>

    init(of spelled: PrefsContent) {
        var literals = HashTrie<[PrefsPath]>()
        for (key, _) in spelled.entries where PrefsPath.isNested(key) {
            Self.add(PrefsPath(key), to: &literals)
        }
        self.spelled = spelled
        self.literals = literals
        grown = Lock(HashTrie())
    }

    /// Creates the next version of a tree, whose spelled contents differ only at or below some paths.
    private init(following old: PathTree, at paths: some Sequence<PrefsPath>, to spelled: PrefsContent) {
        var literals = old.literals
        var grown = spelled.node == nil ? old.grown.withLock { $0 } : HashTrie()
        for path in paths {
            let name = path.components[0]
            let (before, after) = (old.spelled[path.name], spelled[path.name])
            if path.isNested, let before, let after, before.kind != .dictionary, after.kind != .dictionary {
                // By far the most frequent change, which moves nothing else.
                grown.update(name) { $0?.replace(path, with: after) }
                continue
            }
            grown[name] = nil
            guard path.isNested else { continue }
            for spelling in path.spellings where spelling.rest.count < path.components.count - 1 {
                let isPresent = spelled[spelling.key] != nil
                if isPresent || literals[name] != nil {
                    Self.note(PrefsPath.topLevel(spelling.key), isPresent: isPresent, in: &literals)
                }
            }
        }
        self.spelled = spelled
        self.literals = literals
        self.grown = Lock(grown)
    }

    func following(_ paths: some Sequence<PrefsPath>, to spelled: PrefsContent) -> PathTree {
        PathTree(following: self, at: paths, to: spelled)
    }

    private static func note(
        _ literal: PrefsPath, isPresent: Bool, in literals: inout HashTrie<[PrefsPath]>
    ) {
        let known = literals[literal.components[0]] ?? []
        if known.contains(literal) == isPresent { return }
        if isPresent { return add(literal, to: &literals) }
        let left = known.filter { $0 != literal }
        literals[literal.components[0]] = left.isEmpty ? nil : left
    }

    private static func add(_ literal: PrefsPath, to literals: inout HashTrie<[PrefsPath]>) {
        literals.update(literal.components[0]) { known in
            if known == nil { known = [] }
            known?.append(literal)
        }
    }

    /// Returns the entries of a top-level key; `nil` if there are no literal keys for it.
    private func entries(_ name: String) -> [PrefsContent]? {
        guard let literals = literals[name] else { return nil }
        return grown.withLock { grown in
            if let known = grown[name] { return known }
            var entries = [spelled[name] ?? .emptyDictionary]
            for literal in literals.sorted(by: Self.isShorter) {
                if let content = spelled[literal.name] { entries.replace(literal, with: content) }
            }
            grown[name] = entries
            return entries
        }
    }

    private static func isShorter(_ lhs: PrefsPath, _ rhs: PrefsPath) -> Bool {
        (lhs.components.count, lhs.name) < (rhs.components.count, rhs.name)
    }
}

extension [PrefsContent] {
    /// Puts the value of a literal key in its place.
    fileprivate mutating func replace(_ literal: PrefsPath, with content: PrefsContent) {
        let place = literal.components.dropFirst()
        let index = firstIndex { !$0.isBlocked(on: place) } ?? count
        if index == count { append(.emptyDictionary) }
        self[index].graft(content, at: place)
    }
}

extension PathTree {
    /// Returns the entry of the root under a key.
    subscript(key: String) -> PrefsContent? { entries(key)?.first ?? spelled[key] }

    /// Returns true if there are literal keys whose paths begin with a key.
    func hasLiterals(under key: String) -> Bool { literals[key] != nil }

    /// The entries of the root, a dictionary that literal keys make up in place of the first of these.
    var entries: [PrefsContent.Entry] {
        spelled.entries.compactMap { key, content in
            guard PrefsPath.isNested(key) else { return (key, entries(key)?.first ?? content) }
            let name = PrefsPath(key).components[0]
            guard literals[name]?.first?.name == key, spelled[name] == nil else { return nil }
            return entries(name)?.first.map { (name, $0) }
        }
    }

    /// Returns the contents at a path that lie behind non-dictionaries, in the order in which they are looked up; those of
    /// the root are those of all top-level keys.
    func hidden(at path: PrefsPath) -> [PrefsContent.Place] {
        guard let name = path.components.first else {
            return literals.dictionary.keys.flatMap { hidden(at: PrefsPath(components: [$0])) }
        }
        return (entries(name)?.dropFirst() ?? []).compactMap { entry in
            entry[path.components.dropFirst()].map { (path, $0) }
        }
    }
}

extension PathTree {
    /// Returns the top-level keys behind which this tree has something that another root has not.
    func hiddenDifferences(from other: PrefsContent) -> [PrefsPath] {
        let own = hidden(at: PrefsPath(components: [])).filter { place in
            !other.hidden(at: place.path).contains { $0.content.hasSameContent(as: place.content) }
        }
        return own.map(\.path)
    }

    /// Returns an error for each path that a file spells as a literal key, and in another way as well.
    func warnings(in file: String?) -> [PrefsError] {
        var (warnings, count) = ([PrefsError](), 0)
        for (key, content) in spelled.entries where PrefsPath.isNested(key) {
            guard let other = otherSpelling(of: PrefsPath(key)) else { continue }
            count += 1
            if count > PrefsLimits.reports { continue }
            let place = other.position.map { " at \($0)" } ?? ""
            warnings.append(
                PrefsError(
                    .syntax, key: key, origin: PrefsOrigin(file: file, position: content.position),
                    reason: "also defined in a dictionary\(place); the dotted key wins, so remove one"))
        }
        guard count > warnings.count else { return warnings }
        let rest = PrefsError(
            .syntax, origin: PrefsOrigin(file: file),
            reason: "… and \(count - warnings.count) more keys that are defined twice")
        return warnings + [rest]
    }

    /// Returns the value of a literal key's path that the literal key replaces.
    private func otherSpelling(of path: PrefsPath) -> PrefsContent? {
        for spelling in path.spellings.dropFirst() {
            if let content = spelled[spelling.key]?[spelling.rest] { return content }
        }
        return nil
    }
}

extension PrefsDocument {
    /// Returns a warning for each path that the document spells as a dotted top-level key, and in another way as well.
    package func warningsOfSpellings(in file: String?) -> [PrefsError] {
        root.hasDottedKey ? PathTree(of: .node(root)).warnings(in: file) : []
    }
}
