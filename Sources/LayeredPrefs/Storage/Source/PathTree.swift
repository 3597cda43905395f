import PrefsDocuments

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
/// The next version of a tree shares the top-level entries that did not change.
final class PathTree: Sendable {
    /// A top-level key for which there are literal keys.
    fileprivate struct Top {
        /// The literal keys, in the file's order.
        var literals: [PrefsPath] = []
        /// The entry; then those that lie behind it, each of which is looked up if those before it block a path.
        var entries: [PrefsContent] = []
    }

    /// The root as the source spells it.
    let spelled: PrefsContent
    private let tops: HashTrie<Top>

    init(of spelled: PrefsContent) {
        var tops = HashTrie<Top>()
        spelled.forEachEntry { key, _ in
            if PrefsPath.isNested(key) { Self.add(PrefsPath(key), to: &tops) }
        }
        var names: [String] = []
        tops.forEach { name, _ in names.append(name) }
        for name in names { tops.update(name) { $0?.grow(name, in: spelled) } }
        self.spelled = spelled
        self.tops = tops
    }

    /// Creates the next version of a tree, which differs only at or below some paths.
    private init(following old: PathTree, at paths: some Sequence<PrefsPath>, to spelled: PrefsContent) {
        var tops = old.tops
        var changed: Set<String> = []
        var literals: Set<String> = []
        for path in paths {
            let (before, after) = (old.spelled[path.name], spelled[path.name])
            if path.isNested, let before, let after, before.kind != .dictionary, after.kind != .dictionary {
                // By far the most frequent change, which moves nothing else.
                tops.update(path.components[0]) { $0?.replace(path, with: after) }
            } else {
                changed.insert(path.components[0])
                for spelling in path.spellings where spelling.rest.count < path.components.count - 1 {
                    literals.insert(spelling.key)
                }
            }
        }
        for literal in literals where (spelled[literal] != nil) != (old.spelled[literal] != nil) {
            let path = PrefsPath(literal)
            if spelled[literal] != nil {
                Self.add(path, to: &tops)
            } else {
                tops.update(path.components[0]) { $0?.literals.removeAll { $0 == path } }
            }
        }
        for name in changed {
            tops.update(name) { top in
                if top?.literals.isEmpty == true { top = nil }
                top?.grow(name, in: spelled)
            }
        }
        self.spelled = spelled
        self.tops = tops
    }

    func following(_ paths: some Sequence<PrefsPath>, to spelled: PrefsContent) -> PathTree {
        PathTree(following: self, at: paths, to: spelled)
    }

    private static func add(_ literal: PrefsPath, to tops: inout HashTrie<Top>) {
        tops.update(literal.components[0]) { top in
            if top == nil { top = Top() }
            top?.literals.append(literal)
        }
    }
}

extension PathTree.Top {
    /// Puts the literal keys in their places.
    fileprivate mutating func grow(_ name: String, in spelled: PrefsContent) {
        entries = [spelled[name] ?? .emptyDictionary]
        for literal in literals.sorted(by: Self.isShorter) {
            if let content = spelled[literal.name] { replace(literal, with: content) }
        }
    }

    /// Puts the value of a literal key in its place.
    fileprivate mutating func replace(_ literal: PrefsPath, with content: PrefsContent) {
        let place = literal.components.dropFirst()
        let index = entries.firstIndex { !$0.isBlocked(on: place) } ?? entries.count
        if index == entries.count { entries.append(.emptyDictionary) }
        entries[index].graft(content, at: place)
    }

    private static func isShorter(_ lhs: PrefsPath, _ rhs: PrefsPath) -> Bool {
        (lhs.components.count, lhs.name) < (rhs.components.count, rhs.name)
    }
}

extension PathTree {
    /// Returns the entry of the root under a key.
    subscript(key: String) -> PrefsContent? { tops[key]?.entries.first ?? spelled[key] }

    /// Visits the entries of the root, a dictionary that literal keys make up in place of the first of these.
    func forEachEntry(_ body: (String, PrefsContent) -> Void) {
        spelled.forEachEntry { key, content in
            guard PrefsPath.isNested(key) else { return body(key, tops[key]?.entries.first ?? content) }
            let name = PrefsPath(key).components[0]
            guard let top = tops[name], top.literals[0].name == key, spelled[name] == nil else { return }
            body(name, top.entries[0])
        }
    }

    /// Visits the contents at a path that lie behind non-dictionaries.
    func forEachHidden(at path: PrefsPath, _ body: (PrefsPath, PrefsContent) -> Void) {
        guard let name = path.components.first else {
            return tops.forEach { name, top in
                for entry in top.entries.dropFirst() { body(PrefsPath(components: [name]), entry) }
            }
        }
        for entry in tops[name]?.entries.dropFirst() ?? [] {
            if let content = entry[path.components.dropFirst()] { body(path, content) }
        }
    }

    /// Returns the content that a path has behind the non-dictionary that blocks it.
    func hidden(at path: PrefsPath) -> PrefsContent? {
        guard let top = tops[path.components[0]], top.entries.count > 1 else { return nil }
        return top.entries.dropFirst().lazy.compactMap { $0[path.components.dropFirst()] }.first
    }
}

extension PathTree {
    /// Returns the top-level keys behind which this tree has something that another root has not.
    func hiddenDifferences(from other: PrefsContent) -> [PrefsPath] {
        var paths: [PrefsPath] = []
        forEachHidden(at: PrefsPath(components: [])) { path, content in
            var isSame = false
            if case .tree(let other) = other {
                other.forEachHidden(at: path) { isSame = isSame || $1.hasSameContent(as: content) }
            }
            if !isSame { paths.append(path) }
        }
        return paths
    }

    /// Returns an error for each path that a file spells as a literal key, and in another way as well.
    func warnings(in file: String?) -> [PrefsError] {
        var (warnings, count) = ([PrefsError](), 0)
        spelled.forEachEntry { key, content in
            guard PrefsPath.isNested(key), let other = otherSpelling(of: PrefsPath(key)) else { return }
            count += 1
            if count > PrefsLimits.reports { return }
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
