import PrefsDocuments

/// The top-level keys of a source that are dotted paths spelled literally, indexed by their ancestors.
struct LiteralKeys: Sendable {
    /// All literal keys, sorted by name.
    let paths: [PrefsPath]
    private let names: Set<String>
    private let below: [String: [PrefsPath]]

    init(of root: PrefsContent) {
        var paths: [PrefsPath] = []
        root.forEachEntry { key, _ in
            let path = PrefsPath(key)
            if path.isNested { paths.append(path) }
        }
        self.init(paths.sorted { $0.name < $1.name })
    }

    private init(_ paths: [PrefsPath]) {
        self.paths = paths
        names = Set(paths.map(\.name))
        var below: [String: [PrefsPath]] = [:]
        for path in paths {
            for ancestor in path.ancestors { below[ancestor.name, default: []].append(path) }
        }
        self.below = below
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Returns the literal keys strictly below a path.
    func below(_ path: PrefsPath) -> [PrefsPath] { isEmpty ? [] : below[path.name] ?? [] }

    /// Returns the literal keys of the next version of a source, given that only keys at some paths may have
    /// been added or removed.
    func following(_ steps: [PrefsPath], to root: PrefsContent) -> LiteralKeys {
        let isSame = steps.filter(\.isNested).allSatisfy { step in
            (root[step.name] != nil) == names.contains(step.name)
        }
        return isSame ? self : LiteralKeys(of: root)
    }
}
