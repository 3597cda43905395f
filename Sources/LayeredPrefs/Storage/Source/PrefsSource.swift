import PrefsDocuments
import PrefsSystem

/// The immutable contents of one source (a file, a dictionary, the environment) and their origin.
///
/// A new revision of the contents is a new object, so comparing identities shows whether anything was loaded
/// again.
final class PrefsSource: Sendable {
    /// The values as the source spells their keys, decoded or still in their file. Empty if the source holds
    /// variables.
    let spelled: PrefsContent
    /// The values that are not in the nested dictionaries; `nil` if there are none.
    let overlay: PathOverlay?
    /// The contents, if they are not a tree.
    private let variables: (any SourceContents)?
    /// True if a value has no path until a key is looked up or declared.
    let holdsVariables: Bool
    /// The file's path, if the source is a file.
    let file: String?
    /// True if every value is text that the key's type parses.
    let isText: Bool
    /// True if the source is a file that does not exist, or that has never been readable.
    let isAbsent: Bool
    /// The cause of this revision.
    let cause: PrefsChangeCause
    /// The number of this revision. It is larger than the number of any revision created earlier in the process.
    let version = PrefsChangeSource.nextGeneration()
    /// The changes since the previous revision, if they are known.
    let step: PrefsSourceStep?
    /// The revision as it was read, and the earlier values that stay in it; `nil` if there are none.
    let mended: Mended?

    /// - Parameters:
    ///   - variables: The contents, if they are text by variable.
    ///   - overlay: The values that are not in the nested dictionaries; `nil` to find them.
    init(
        _ spelled: PrefsContent = .emptyDictionary,
        variables: (any SourceContents)? = nil,
        file: String? = nil,
        isAbsent: Bool = false,
        isText: Bool = false,
        cause: PrefsChangeCause = .start,
        step: PrefsSourceStep? = nil,
        overlay: PathOverlay? = nil,
        mended: Mended? = nil
    ) {
        self.mended = mended
        self.spelled = spelled
        self.variables = variables
        holdsVariables = variables != nil
        self.step = step
        let overlay = overlay ?? (spelled.hasDottedKey ? PathOverlay(of: spelled) : .empty)
        self.overlay = overlay.isEmpty ? nil : overlay
        self.file = file
        self.isAbsent = isAbsent
        self.isText = isText || variables != nil
        self.cause = cause
    }

    static let empty = PrefsSource()

    /// The contents, looked up by key.
    var contents: any SourceContents { variables ?? tree }

    /// Returns the value of ``contents`` for a key. Most sources are trees. For them, this creates no existential.
    func value(for key: PrefsKeyName, at path: PrefsPath, claims: VariableClaims) -> LocatedValue? {
        guard holdsVariables, let variables else { return tree.value(at: path) }
        return variables.value(for: key, at: path, claims: claims)
    }

    /// The values by key path.
    var tree: PrefsTree { PrefsTree(self) }

    /// The values by key path.
    var root: PrefsContent {
        guard let overlay else { return spelled }
        return .joined(JoinedDictionary(base: spelled, overlay: overlay, spelled: spelled, isRoot: true))
    }
}

extension PrefsSource {
    /// Finds the values by key path.
    var lookup: PathLookup { PathLookup(spelled: spelled, overlay: overlay, areTexts: isText) }

    /// Returns the content at a path, and the depth of the path. If a shorter path blocks this one, returns
    /// the content and the depth of the shorter path.
    func find(_ path: PrefsPath) -> (content: PrefsContent?, depth: Int) {
        if overlay != nil || isText { return lookup.find(path) }
        // Nearly all sources have no overlay, and copying one takes longer than a lookup.
        var content = spelled
        let components = path.components
        for depth in components.indices {
            guard content.kind == .dictionary else {
                return content.containsText ? (nil, components.count) : (content, depth)
            }
            guard let next = content[components[depth]] else { return (nil, components.count) }
            content = next
        }
        return (content, components.count)
    }

    /// Returns the values of dotted keys, at and below a path, that have a text above them. The dictionaries
    /// do not contain these values.
    ///
    /// - Parameter content: The content of the path.
    func behindTexts(below path: PrefsPath, _ content: PrefsContent?) -> [(
        path: PrefsPath, content: PrefsContent
    )] {
        // A file has no texts.
        guard let overlay, spelled.node == nil else { return [] }
        return overlay.dottedKeys(below: path.components[...]).compactMap { key in
            let place = PrefsPath(key)
            if content?[place.components.dropFirst(path.components.count)] != nil { return nil }
            return lookup[place].map { (place, $0) }
        }
    }
}

extension PrefsSource {
    /// Creates the next revision, which differs only at or below some paths.
    func next(_ spelled: PrefsContent, changing paths: PathList, cause: PrefsChangeCause) -> PrefsSource {
        PrefsSource(
            spelled, file: file, isText: isText, cause: cause,
            step: PrefsSourceStep(start: version, paths: paths),
            overlay: (overlay ?? .empty).following(paths, to: spelled))
    }

    /// Creates the next revision of a file, and returns whether its contents differ. The file may have moved
    /// or may be gone.
    func next(
        _ spelled: PrefsContent, in file: String, isAbsent: Bool, cause: PrefsChangeCause
    ) -> (PrefsSource, didChange: Bool) {
        guard self.spelled.count > 0 else {
            return (
                PrefsSource(spelled, file: file, isAbsent: isAbsent, cause: cause), spelled.count > 0
            )
        }
        let edits = PrefsContent.differences(from: self.spelled, to: spelled)
        let overlay = (overlay ?? .empty).following(edits, to: spelled)
        var paths = edits
        if self.overlay != nil || !overlay.isEmpty {
            // A nested value that a dotted key replaces has no effect, so the values that lookups find are
            // compared.
            paths = PathList()
            let after = PathLookup(spelled: spelled, overlay: overlay)
            for path in edits {
                PrefsContent.addDifferences(lookup[path], after[path], at: path, to: &paths)
            }
        }
        let next = PrefsSource(
            spelled, file: file, isAbsent: isAbsent, isText: isText, cause: cause,
            step: PrefsSourceStep(start: version, paths: paths), overlay: overlay)
        return (next, !paths.isEmpty)
    }

    /// Creates the next revision of candidates by name. Some candidates are replaced, or removed if `nil`.
    func replacing(_ changes: [String: PrefsCandidate?]) -> PrefsSource {
        var table = spelled.table
        var paths = PathList()
        for (name, candidate) in changes {
            let (old, new) = (table[name], candidate.map(PrefsContent.candidate))
            let isSame = new.map { old?.hasSameContent(as: $0) == true } ?? (old == nil)
            if !isSame { paths.append(PrefsPath.topLevel(name)) }
            table[name] = new
        }
        return next(.table(table), changing: paths, cause: .file)
    }

    /// Returns the highest paths where two revisions of a source differ, and possibly others.
    ///
    ///     {"http": {"port": 80}, "http.port": 1}
    ///     {"http": {"port": 81}, "http.port": 1}    none: the dotted key replaces the nested one
    ///
    ///     {"http.port": 80}
    ///     {"http": {"port": 81}}                    http.port
    static func differences(_ old: PrefsSource, _ new: PrefsSource) -> PathList {
        if old === new { return [] }
        if let known = knownDifferences(old, new) { return known }
        // A variable's keys are not known here, so each observer compares its own.
        if old.holdsVariables || new.holdsVariables { return [PrefsPath(components: [])] }
        var paths = PrefsContent.differences(from: old.root, to: new.root)
        let root = PrefsPath(components: [])
        for place in [old, new].flatMap({ $0.behindTexts(below: root, $0.root) }) {
            PrefsContent.addDifferences(
                old.lookup[place.path], new.lookup[place.path], at: place.path, to: &paths)
        }
        return paths
    }

    /// Returns true if two revisions of a source differ at most in the places of their values. A source that
    /// is gone has the contents of an empty one.
    static func haveSameContents(_ old: PrefsSource?, _ new: PrefsSource?) -> Bool {
        differences(old ?? .empty, new ?? .empty).isEmpty
    }

    /// Returns the paths where two revisions of a source differ, if the step between them recorded these paths.
    static func knownDifferences(_ old: PrefsSource, _ new: PrefsSource) -> PathList? {
        new.step.flatMap { $0.start == old.version ? $0.paths : nil }
    }
}

extension PrefsSource: CustomReflectable {
    /// A mirror without the contents, which may be secrets.
    var customMirror: Mirror { Mirror(self, children: ["file": file as Any, "version": version]) }
}

/// Finds values of a source by key path.
struct PathLookup {
    let spelled: PrefsContent
    let overlay: PathOverlay?
    /// True if every value is text.
    var areTexts = false

    /// Returns the content at a path; `nil` if there is none, or if something blocks the path.
    subscript(path: PrefsPath) -> PrefsContent? {
        let (content, depth) = find(path)
        return depth == path.components.count ? content : nil
    }

    /// Returns the content at a path, and the depth of the path. If a shorter path blocks this one, returns
    /// the content and the depth of the shorter path.
    ///
    /// A text has no type yet, so it blocks nothing, and a dotted key below it is found.
    func find(_ path: PrefsPath) -> (content: PrefsContent?, depth: Int) {
        var content: PrefsContent? = spelled
        var overlay = overlay
        let last = path.components.count - 1
        for (depth, key) in path.components.enumerated() {
            if let found = content, found.kind != .dictionary {
                guard areTexts || found.containsText else { return (found, depth) }
                content = nil
            }
            content = content?[key]
            overlay = overlay?[key]
            if let overlay {
                content =
                    depth < last
                    ? overlay.own(over: content, in: spelled) : overlay.content(over: content, in: spelled)
            } else if content == nil {
                return (nil, last + 1)
            }
        }
        return (content, last + 1)
    }
}

extension PrefsSource {
    /// Returns an error for each dotted key of a file that is blocked, or that is also spelled in another way.
    func warningsOfSpellings() -> [PrefsError] {
        if overlay == nil { return [] }
        var (warnings, count) = ([PrefsError](), 0)
        for (key, content) in spelled.entries where PrefsPath.isNested(key) {
            guard let fault = fault(of: PrefsPath(key), key) else { continue }
            count += 1
            if count > PrefsLimits.reports { continue }
            var warning = fault
            warning.origin = PrefsOrigin(file: file, position: content.position)
            warnings.append(warning)
        }
        guard count > warnings.count else { return warnings }
        let rest = PrefsError(
            .syntax, origin: PrefsOrigin(file: file),
            reason: "… and \(count - warnings.count) more dotted keys that are defined twice or ignored")
        return warnings + [rest]
    }

    private func fault(of path: PrefsPath, _ key: String) -> PrefsError? {
        let (found, depth) = lookup.find(path)
        if let found, depth < path.components.count {
            let above = PrefsPath(components: Array(path.components.prefix(depth)))
            return PrefsError(
                .wrongType, key: key,
                reason:
                    "expected a dictionary, found \(found.kind) at \(above.name); the dotted key is ignored")
        }
        for spelling in path.spellings.dropFirst() {
            guard let other = spelled[spelling.key]?[spelling.rest] else { continue }
            let place = other.position.map { " at \($0)" } ?? ""
            return PrefsError(
                .syntax, key: key,
                reason: "also defined in a dictionary\(place); the dotted key wins, so remove one")
        }
        return nil
    }
}

extension PrefsDocument {
    /// Returns a warning for each dotted top-level key that is blocked, or that is also spelled in another way.
    package func warningsOfSpellings(in file: String?) -> [PrefsError] {
        PrefsSource(.node(root), file: file).warningsOfSpellings()
    }
}
