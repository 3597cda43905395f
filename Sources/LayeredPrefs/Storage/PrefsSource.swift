import PrefsDocuments
import PrefsSystem

/// The immutable contents of one source (a file, a dictionary, the environment) and their origin.
///
/// A new version of the contents is a new object, so comparing identities shows whether anything was loaded
/// again.
final class PrefsSource: Sendable {
    enum Form: Sendable {
        /// Values by key path, decoded or still in their file.
        case tree(PrefsContent)
        /// Text by variable name.
        case variables(EnvironmentVariables)
    }

    let form: Form
    /// The file's path, if the source is a file.
    let file: String?
    /// True if every value is text that the key's type parses.
    let isText: Bool
    /// The cause of this version.
    let cause: PrefsChangeCause
    /// The observer whose write made this version, and which must not be notified of it.
    let author: PrefsAuthorship?
    /// Larger than the version of any source created earlier in the process.
    let version = PrefsChangeSource.nextGeneration()
    /// The changes since the version before, if they are known.
    let step: PrefsSourceStep?
    private let knownLiteralKeys: Lock<LiteralKeys?>

    init(
        _ form: Form,
        file: String? = nil,
        isText: Bool = false,
        cause: PrefsChangeCause = .start,
        author: PrefsAuthorship? = nil,
        step: PrefsSourceStep? = nil,
        literalKeys: LiteralKeys? = nil
    ) {
        self.form = form
        self.step = step
        knownLiteralKeys = Lock(literalKeys)
        self.file = file
        self.isText = isText
        self.cause = cause
        self.author = author
    }

    convenience init(
        _ content: [String: PrefsValue],
        file: String? = nil,
        isText: Bool = false,
        cause: PrefsChangeCause = .start,
        author: PrefsAuthorship? = nil,
        step: PrefsSourceStep? = nil
    ) {
        self.init(
            .tree(.value(.dictionary(content))), file: file, isText: isText, cause: cause, author: author,
            step: step)
    }

    static let empty = PrefsSource([:])

    /// The values of a tree; empty for variables, because only declared keys give them key paths.
    var root: PrefsContent {
        switch form {
        case .tree(let content): content
        case .variables: .value(.dictionary([:]))
        }
    }
}

extension PrefsSource {
    /// The result of looking up a key in a source.
    enum Finding {
        case absent
        case found(PrefsContent, spelling: String)
        /// Something on the path is not a dictionary, so nothing can lie below it.
        case blocked(PrefsContent, by: PrefsPath)
    }

    /// Looks up a path: its literal spelling first, then the nested one.
    ///
    ///     {"http.port": 1, "http": {"port": 2}}   1
    ///     {"http": {"port": 2}}                   2
    ///     {"http": "off"}                         blocked by http
    func find(_ path: PrefsPath) -> Finding {
        switch form {
        case .tree(let root): Self.find(path, in: root)
        case .variables: .absent
        }
    }

    private static func find(_ path: PrefsPath, in root: PrefsContent) -> Finding {
        if let literal = root[path.name], !path.isNested || !Mutant.isActive(.literalSpellingIgnored) {
            return .found(literal, spelling: path.name)
        }
        guard path.isNested else { return .absent }
        var content = root
        for (depth, key) in path.components.enumerated() {
            guard content.kind == .dictionary else {
                return .blocked(content, by: PrefsPath(components: Array(path.components.prefix(depth))))
            }
            guard let next = content[key] else { return .absent }
            content = next
        }
        return .found(content, spelling: path.name)
    }

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
        _ root: PrefsContent, changing paths: [PrefsPath], isExact: Bool = false, cause: PrefsChangeCause,
        author: PrefsAuthorship?
    ) -> PrefsSource {
        PrefsSource(
            .tree(root), file: file, isText: isText, cause: cause, author: author,
            step: PrefsSourceStep(start: version, paths: paths, isExact: isExact),
            literalKeys: knownLiteralKeys.withLock { $0 }?.following(paths, to: root))
    }

    /// Creates the next version of a file, and returns whether its contents differ.
    func next(
        _ root: PrefsContent, cause: PrefsChangeCause, author: PrefsAuthorship?
    ) -> (PrefsSource, didChange: Bool) {
        guard self.root.count > 0 else {
            return (PrefsSource(.tree(root), file: file, cause: cause, author: author), root.count > 0)
        }
        let paths = PrefsContent.differences(from: self.root, to: root)
        let next = next(root, changing: paths, isExact: true, cause: cause, author: author)
        return (next, !paths.isEmpty)
    }

    /// Returns this source's candidate for a path, if it has one. Dictionaries include the entries that
    /// literal keys such as `http.port` contribute.
    ///
    ///     {"http": {"host": "a"}, "http.port": 1}     http is {"host": "a", "port": 1}
    ///     {"http": {"port": 2}, "http.port": 1}       http is {"port": 1}
    ///     {"http.port": 1}                            http is {"port": 1}
    func candidate(for path: PrefsPath, layer: String?) -> PrefsCandidate? {
        switch statement(of: path) {
        case .nothing: return nil
        case .value(let value, let content, let spelling):
            let origin = origin(of: content, spelling: spelling, layer: layer)
            return PrefsCandidate(value, isText: isText, origin: origin)
        case .bar(let content, let ancestor):
            return blockedCandidate(content, at: ancestor, layer: layer)
        }
    }

    /// The value of a path in a source, without its origin.
    enum Statement {
        case nothing
        /// A value, and its content in the source, unless literal keys alone make the value up.
        case value(PrefsValue, PrefsContent?, spelling: String)
        /// A non-dictionary that blocks the path.
        case bar(PrefsContent, at: PrefsPath)

        func says(sameAs other: Statement) -> Bool {
            switch (self, other) {
            case (.nothing, .nothing): true
            case (.value(let mine, _, _), .value(let others, _, _)): mine == others
            case (.bar(let mine, let place), .bar(let others, let otherPlace)):
                place == otherPlace && mine.hasSameContent(as: others)
            default: false
            }
        }
    }

    func statement(of path: PrefsPath) -> Statement {
        switch find(path) {
        case .found(let content, let spelling):
            let value = content.kind == .dictionary ? completed(content.value, at: path) : content.value
            return .value(value, content, spelling: spelling)
        case .absent: return assembled(at: path) ?? .nothing
        // Text has no type yet, so it blocks nothing.
        case .blocked(let content, let ancestor):
            return assembled(at: path) ?? (isText ? .nothing : .bar(content, at: ancestor))
        }
    }

    /// Returns the dictionary that literal keys alone make up.
    private func assembled(at path: PrefsPath) -> Statement? {
        guard case .dictionary(let content) = completed([:], at: path), !content.isEmpty else { return nil }
        return .value(.dictionary(content), nil, spelling: path.name)
    }

    /// Returns the candidate for a key whose dots are ordinary characters.
    func literalCandidate(forKey key: String, layer: String?) -> PrefsCandidate? {
        root[key].map { content in
            let origin = origin(of: content, spelling: key, layer: layer)
            return PrefsCandidate(content.value, isText: isText, origin: origin)
        }
    }

    private func completed(_ value: PrefsValue, at path: PrefsPath) -> PrefsValue {
        var value = value
        for literal in literalKeys.below(path) {
            guard let content = root[literal.name] else { continue }
            // A non-dictionary on the path is a value of its own, which no key below it may hide.
            let place = literal.components.dropFirst(path.components.count)
            if !value.isBlocked(on: place) { value.insert(content.value, at: place) }
        }
        return value
    }

    private func blockedCandidate(
        _ content: PrefsContent, at ancestor: PrefsPath, layer: String?
    ) -> PrefsCandidate {
        let origin = origin(of: content, spelling: ancestor.name, layer: layer)
        let reason = "expected a dictionary, found \(content.kind) at \(ancestor.name)"
        let rejection = PrefsError(.wrongType, origin: origin, reason: reason)
        return PrefsCandidate(content.value, isText: isText, origin: origin, rejection: rejection)
    }

    private func origin(of content: PrefsContent?, spelling: String, layer: String?) -> PrefsOrigin {
        let position = Mutant.isActive(.positionOfDictionary) ? root.position : content?.position
        return PrefsOrigin(layer: layer, file: file, position: position, spelling: spelling)
    }

    /// The paths of all values that are not dictionaries, and of empty dictionaries.
    var leaves: [PrefsPath] {
        var leaves: [PrefsPath] = []
        root.forEachEntry { key, content in content.collectLeaves(at: PrefsPath(key), into: &leaves) }
        return leaves
    }
}
