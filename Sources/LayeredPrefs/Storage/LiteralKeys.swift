import PrefsDocuments
/// A source's top-level keys that are paths spelled literally, found by what lies above them.
struct LiteralKeys: Sendable {
    /// All of them, in sorted order.
    let paths: [PrefsPath]
    private let names: Set<String>
    private let beneath: [String: [PrefsPath]]

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
        var beneath: [String: [PrefsPath]] = [:]
        for path in paths {
            for ancestor in path.ancestors { beneath[ancestor.name, default: []].append(path) }
        }
        self.beneath = beneath
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Those strictly beneath a path.
    func beneath(_ path: PrefsPath) -> [PrefsPath] { isEmpty ? [] : beneath[path.name] ?? [] }

    /// The literal keys of the next version of a source, in which only the keys at some paths may be new or gone.
    func following(_ steps: [PrefsPath], to root: PrefsContent) -> LiteralKeys {
        let isSame = steps.filter(\.isNested).allSatisfy { step in
            (root[step.name] != nil) == names.contains(step.name)
        }
        return isSame ? self : LiteralKeys(of: root)
    }
}
