import PrefsDocuments
import PrefsSystem

/// The immutable contents of one source (a file, a dictionary, the environment) and their origin.
///
/// A new version of the contents is a new object, so comparing identities shows whether anything was loaded
/// again.
final class PrefsSource: Sendable {
    /// The values as the source spells their keys, decoded or still in their file; empty if the source holds
    /// variables.
    let spelled: PrefsContent
    /// The tree that literal keys are put into; `nil` if no key of the root may be a path.
    let literalTree: PathTree?
    /// The contents, if they are not a tree.
    private let variables: (any SourceContents)?
    /// True if only a key that is looked up or declared gives a value its path.
    let holdsVariables: Bool
    /// The file's path, if the source is a file.
    let file: String?
    /// True if every value is text that the key's type parses.
    let isText: Bool
    /// True if the source is a file that is not there, or that has not been readable yet.
    let isAbsent: Bool
    /// The cause of this version.
    let cause: PrefsChangeCause
    /// Larger than the version of any source created earlier in the process.
    let version = PrefsChangeSource.nextGeneration()
    /// The changes since the version before, if they are known.
    let step: PrefsSourceStep?

    /// - Parameters:
    ///   - variables: The contents, if they are text by variable.
    ///   - hasLiteralKeys: False if no key of the root is a path; `nil` to find out.
    ///   - tree: The tree of the contents, if there is one that follows another.
    init(
        _ spelled: PrefsContent = .emptyDictionary,
        variables: (any SourceContents)? = nil,
        file: String? = nil,
        isAbsent: Bool = false,
        isText: Bool = false,
        cause: PrefsChangeCause = .start,
        step: PrefsSourceStep? = nil,
        hasLiteralKeys: Bool? = nil,
        tree: PathTree? = nil
    ) {
        self.spelled = spelled
        self.variables = variables
        holdsVariables = variables != nil
        self.step = step
        let hasLiteralKeys = tree != nil || hasLiteralKeys ?? spelled.hasDottedKey
        literalTree = hasLiteralKeys ? tree ?? PathTree(of: spelled) : nil
        self.file = file
        self.isAbsent = isAbsent
        self.isText = isText || variables != nil
        self.cause = cause
    }

    static let empty = PrefsSource()

    /// The contents, looked up by key.
    var contents: any SourceContents { variables ?? tree }

    /// Returns the value of ``contents`` for a key; most sources are trees, and then it makes no existential.
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        guard holdsVariables, let variables else { return tree.value(at: path) }
        return variables.value(for: key, at: path, claims: claims)
    }

    /// The values by key path.
    var tree: PrefsTree { PrefsTree(self) }

    /// The values by key path, for looking up one that is at or below a path's first key.
    func root(for path: PrefsPath) -> PrefsContent {
        guard let tree = literalTree, let top = path.components.first, tree.hasLiterals(under: top) else {
            return spelled
        }
        return .tree(tree)
    }

    /// The values by key path.
    var root: PrefsContent { literalTree.map(PrefsContent.tree) ?? spelled }
}

extension PrefsSource {
    /// Creates the next version, which differs only at or below some paths.
    func next(_ spelled: PrefsContent, changing paths: PathList, cause: PrefsChangeCause) -> PrefsSource {
        PrefsSource(
            spelled, file: file, isText: isText, cause: cause,
            step: PrefsSourceStep(start: version, paths: paths),
            hasLiteralKeys: paths.contains { $0.isNested && spelled[$0.name] != nil },
            tree: literalTree?.following(paths, to: spelled))
    }

    /// Creates the next version of a file, which may have moved, or may be gone, and returns whether its contents differ.
    func next(
        _ spelled: PrefsContent, in file: String, isAbsent: Bool, cause: PrefsChangeCause
    ) -> (PrefsSource, didChange: Bool) {
        guard self.spelled.count > 0 else {
            return (
                PrefsSource(spelled, file: file, isAbsent: isAbsent, cause: cause), spelled.count > 0
            )
        }
        var paths = PrefsContent.differences(from: self.spelled, to: spelled)
        let hasNewLiterals = paths.contains { $0.isNested && spelled[$0.name] != nil }
        let firstTree = literalTree == nil && hasNewLiterals ? PathTree(of: spelled) : nil
        let tree = literalTree?.following(paths, to: spelled) ?? firstTree
        if let tree { paths = PrefsContent.differences(at: paths, from: root, to: .tree(tree)) }
        let next = PrefsSource(
            spelled, file: file, isAbsent: isAbsent, isText: isText, cause: cause,
            step: PrefsSourceStep(start: version, paths: paths), hasLiteralKeys: false, tree: tree)
        return (next, !paths.isEmpty)
    }

    /// Creates the next version of candidates by name, with some replaced, or removed if `nil`.
    func replacing(_ changes: [String: PrefsCandidate?]) -> PrefsSource {
        var table = spelled.candidates
        var paths = PathList()
        for (name, candidate) in changes {
            let isSame = SharedCandidate.haveSameContent(table[name]?.candidate, candidate)
            if !isSame { paths.append(PrefsPath.topLevel(name)) }
            table[name] = candidate.map(SharedCandidate.init)
        }
        return next(.candidates(table), changing: paths, cause: .file)
    }

    /// Returns the highest paths at which two versions of a source differ, and possibly others.
    ///
    ///     {"http": {"port": 80}, "http.port": 1}
    ///     {"http": {"port": 81}, "http.port": 1}    none: the literal key replaces the nested one
    ///
    ///     {"http.port": 80}
    ///     {"http": {"port": 81}}                    http.port
    static func differences(_ old: PrefsSource, _ new: PrefsSource) -> PathList {
        if old === new { return [] }
        if let known = knownDifferences(old, new) { return known }
        // A variable's keys are not known here, so each observer compares its own.
        if old.holdsVariables || new.holdsVariables { return [PrefsPath(components: [])] }
        return PrefsContent.differences(from: old.root, to: new.root)
    }

    /// Returns true if two versions of a source differ at most in the places of their values. A source that is gone has
    /// the contents of an empty one.
    static func haveSameContents(_ old: PrefsSource?, _ new: PrefsSource?) -> Bool {
        differences(old ?? .empty, new ?? .empty).isEmpty
    }

    /// Returns the paths at which two versions of a source differ, if the step between them recorded these.
    static func knownDifferences(_ old: PrefsSource, _ new: PrefsSource) -> PathList? {
        new.step.flatMap { $0.start == old.version ? $0.paths : nil }
    }
}

extension PrefsSource: CustomReflectable {
    /// Without the contents, which may be secrets.
    var customMirror: Mirror { Mirror(self, children: ["file": file as Any, "version": version]) }
}
