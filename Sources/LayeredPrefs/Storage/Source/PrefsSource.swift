import PrefsDocuments
import PrefsSystem

/// The immutable contents of one source (a file, a dictionary, the environment) and their origin.
///
/// A new version of the contents is a new object, so comparing identities shows whether anything was loaded
/// again.
final class PrefsSource: Sendable {
    /// The values by key path, decoded or still in their file; empty if the source holds variables.
    let root: PrefsContent
    /// The contents, if they are not a tree.
    private let variables: (any SourceContents)?
    /// True if only a key that is looked up or declared gives a value its path.
    let holdsVariables: Bool
    /// The file's path, if the source is a file.
    let file: String?
    /// True if every value is text that the key's type parses.
    let isText: Bool
    /// The candidates by top-level key, if the storage states an origin, text or a rejection for each of them.
    let candidates: HashTrie<PrefsCandidate>?
    /// The cause of this version.
    let cause: PrefsChangeCause
    /// Larger than the version of any source created earlier in the process.
    let version = PrefsChangeSource.nextGeneration()
    /// The changes since the version before, if they are known.
    let step: PrefsSourceStep?
    private let knownLiteralKeys: Lock<LiteralKeys?>

    init(
        _ root: PrefsContent,
        variables: (any SourceContents)? = nil,
        file: String? = nil,
        isText: Bool = false,
        candidates: HashTrie<PrefsCandidate>? = nil,
        cause: PrefsChangeCause = .start,
        step: PrefsSourceStep? = nil,
        literalKeys: LiteralKeys? = nil
    ) {
        self.root = root
        self.candidates = candidates
        self.variables = variables
        holdsVariables = variables != nil
        self.step = step
        knownLiteralKeys = Lock(literalKeys)
        self.file = file
        self.isText = isText
        self.cause = cause
    }

    convenience init(
        _ content: [String: PrefsValue],
        file: String? = nil,
        isText: Bool = false,
        cause: PrefsChangeCause = .start,
        step: PrefsSourceStep? = nil
    ) {
        self.init(
            .value(.dictionary(content)), file: file, isText: isText, cause: cause,
            step: step)
    }

    static let empty = PrefsSource([:])

    /// Creates a source of text by variable.
    convenience init(
        variables: any SourceContents, file: String? = nil, cause: PrefsChangeCause = .start
    ) {
        self.init(.value(.dictionary([:])), variables: variables, file: file, isText: true, cause: cause)
    }

    /// The contents, looked up by key.
    var contents: any SourceContents { variables ?? tree }

    /// Returns the value of ``contents`` for a key; most sources are trees, and then it makes no existential.
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        guard holdsVariables, let variables else { return tree.value(at: path) }
        return variables.value(for: key, at: path, claims: claims)
    }

    /// The values by key path.
    var tree: PrefsTree { PrefsTree(self) }
}

extension PrefsSource {
    /// The top-level keys that are dotted paths spelled literally.
    ///
    /// Computed on first use, at most once per version.
    var literalKeys: LiteralKeys {
        knownLiteralKeys.withLock { known in
            let keys = known ?? LiteralKeys(of: root)
            known = keys
            return keys
        }
    }

    /// Creates the next version, whose changes are known.
    ///
    /// - Parameter isExact: True if the contents do differ at each of the paths.
    func next(
        _ root: PrefsContent, changing paths: PathList, isExact: Bool = false, in file: String? = nil,
        cause: PrefsChangeCause
    ) -> PrefsSource {
        let literalKeys = knownLiteralKeys.withLock { $0 }
        return PrefsSource(
            root, file: file ?? self.file, isText: isText, cause: cause,
            step: PrefsSourceStep(start: version, paths: paths, isExact: isExact),
            literalKeys: root.hasKnownKeys(of: self.root)
                ? literalKeys : literalKeys?.following(paths, to: root))
    }

    /// Creates the next version of a file, which may have moved, and returns whether its contents differ.
    func next(
        _ root: PrefsContent, in file: String, cause: PrefsChangeCause
    ) -> (PrefsSource, didChange: Bool) {
        guard self.root.count > 0 else {
            return (PrefsSource(root, file: file, cause: cause), root.count > 0)
        }
        let paths = PrefsContent.differences(from: self.root, to: root)
        let next = next(
            root, changing: paths, isExact: true, in: file, cause: cause)
        return (next, !paths.isEmpty)
    }
}

extension PrefsSource: CustomReflectable {
    /// Without the contents, which may be secrets.
    var customMirror: Mirror { Mirror(self, children: ["file": file as Any, "version": version]) }
}
