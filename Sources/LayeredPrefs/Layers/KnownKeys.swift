import PrefsSystem
import PrefsDocuments

/// The declared keys, against which the keys of files and variables are checked.
///
/// With `http.port` and `limits` declared, the file `{"http": {"prot": 1}, "limits": {"any": 1}, "zzz": 1}`
/// has two unknown keys: `http.prot` and `zzz`. `http` lies above a declared key, so its entries are checked
/// one by one; everything below the declared `limits` belongs to it.
struct KnownKeys {
    private(set) var names: [PrefsKeyName] = []
    private var known: Set<PrefsKeyName> = []
    /// The paths of all keys, under their present and former names.
    private var paths: Set<[String]> = []
    /// The present names of keys by former name.
    private var former: [[String]: String] = [:]
    /// The paths above a known key, whose entries are checked one by one.
    private var ancestors: Set<[String]> = []

    /// The other metadata declared for the keys.
    var metadata = KeyMetadata()

    /// The environment variables that the names map to.
    private(set) var claims = VariableClaims()

    /// Adds a key and returns the environment variables that it shares with other keys.
    mutating func insert(_ name: PrefsKeyName, prefixes: Set<String>) -> [String] {
        guard known.insert(name).inserted else { return [] }
        names.append(name)
        metadata.note(name)
        for spelling in [name.name] + name.formerNames {
            let components = PrefsPath(spelling).components
            paths.insert(components)
            if spelling != name.name { former[components] = name.name }
            for depth in 1..<max(components.count, 1) { ancestors.insert(Array(components.prefix(depth))) }
        }
        return prefixes.sorted().flatMap { claims.insert(name, prefix: $0) }
    }

    /// Returns the locks, extended to all present and former names of the keys that they lock.
    ///
    /// A lock on one name of a key locks all its names, and a lock below one name locks the same place below
    /// the others. For the key `log.level`, formerly `verbosity`:
    ///
    /// | lock on       | also locks        |
    /// |---------------|-------------------|
    /// | `verbosity`   | `log.level`       |
    /// | `log`         | `verbosity`       |
    /// | `log.level.x` | `verbosity.x`     |
    func spread(_ locks: [PrefsLock]) -> [PrefsLock] {
        if locks.isEmpty { return locks }
        let renamed = names.filter { !$0.formerNames.isEmpty }.map(\.paths)
        return locks + renamed.flatMap { names in locks.flatMap { $0.spread(over: names) } }
    }

    /// A key that is not declared, or that is stored under a former name.
    struct Unknown {
        let key: String
        let origin: PrefsOrigin
        /// The declared name, if the key is stored under a former one.
        var presentName: String?

        /// A key and the file that contains it, without the line, so that moving a key is not a new report.
        struct Place: Hashable {
            let key: String
            let layer: String?
            let file: String?
        }

        var place: Place { Place(key: key, layer: origin.layer, file: origin.file) }
    }

    /// Returns a part's keys that are neither declared nor below a declared key, and its former names.
    func unknown(in part: PrefsSnapshot.Part) -> [Unknown] {
        if case .variables(let variables) = part.source.form { return unknown(in: variables, of: part) }
        var found: [Unknown] = []
        part.source.root.forEachEntry { key, content in
            collect(content, at: PrefsPath(key), of: part, into: &found)
        }
        return found
    }

    /// Returns the unknown keys of a part incrementally: checks only the top-level keys above `paths`, the
    /// places at which the source changed since `before` was computed.
    func unknown(
        in part: PrefsSnapshot.Part, after before: [Unknown], changing paths: [PrefsPath]
    ) -> [Unknown] {
        let tops = Set(paths.map { $0.components[0] })
        var found = before.filter { !tops.contains(PrefsPath($0.key).components[0]) }
        for top in tops {
            let places = [PrefsPath(components: [top])] + part.source.literalKeys.below(PrefsPath(top))
            for place in places {
                if let content = part.source.root[place.name] {
                    collect(content, at: place, of: part, into: &found)
                }
            }
        }
        return found
    }

    private func collect(
        _ content: PrefsContent, at path: PrefsPath, of part: PrefsSnapshot.Part, into found: inout [Unknown]
    ) {
        let origin = PrefsOrigin(
            layer: part.layer, file: part.source.file, position: content.position, spelling: path.name)
        if paths.contains(path.components) {
            guard let present = former[path.components] else { return }
            return found.append(Unknown(key: path.name, origin: origin, presentName: present))
        }
        if content.kind == .dictionary, ancestors.contains(path.components) {
            return content.forEachEntry { collect($1, at: path.appending($0), of: part, into: &found) }
        }
        found.append(Unknown(key: path.name, origin: origin))
    }

    private func unknown(in variables: EnvironmentVariables, of part: PrefsSnapshot.Part) -> [Unknown] {
        let known = Set(
            names.flatMap { name in
                let variable = variables.variable(for: name)
                return [variable] + (name.isSecret ? ["\(variable)_FILE"] : [])
                    + name.formerNames.map { variables.variable(for: PrefsKeyName($0)) }
            })
        return variables.variables.keys.filter { $0.hasPrefix(variables.prefix) && !known.contains($0) }
            .sorted().map { Unknown(key: $0, origin: PrefsOrigin(layer: part.layer, spelling: $0)) }
    }

    /// Returns the declared name, or its variable, that is spelled most like an unknown one.
    func nearest(to unknown: Unknown, variables: EnvironmentVariables?) -> String? {
        let candidates = names.map { name in
            variables.map { $0.variable(for: name) } ?? name.name
        }
        return Spelling.nearest(to: unknown.key, among: candidates)
    }
}

extension PrefsLock {
    /// Returns the lock under those of a key's names that it does not lock already.
    fileprivate func spread(over names: [PrefsPath]) -> [PrefsLock] {
        func held(at path: PrefsPath) -> PrefsLock { PrefsLock(path, origin: origin, height: height) }
        if names.contains(where: path.contains) { return names.filter { !path.contains($0) }.map(held) }
        guard let name = names.first(where: { $0.contains(path) }) else { return [] }
        let rest = path.components.dropFirst(name.components.count)
        let others = names.filter { ($0 != name) != Mutant.isActive(.lockOnFormerNameOnly) }
        return others.map { held(at: PrefsPath(components: $0.components + rest)) }
    }
}
