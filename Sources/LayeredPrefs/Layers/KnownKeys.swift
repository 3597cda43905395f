import PrefsDocuments
/// The keys that schemas declare, against which a file's keys are checked.
struct KnownKeys {
    private(set) var names: [PrefsKeyName] = []
    private var known: Set<PrefsKeyName> = []
    private var paths: Set<[String]> = []
    /// Names that keys had, and the present ones.
    private var former: [[String]: String] = [:]
    /// What lies above a known key: dictionaries that are looked into.
    private var ancestors: Set<[String]> = []

    /// What else is declared of them.
    var facts = DeclaredFacts()

    /// Which of the names claim which environment variable.
    private(set) var claims = VariableClaims()

    /// Takes note of a key, and returns the variables that it shares with other keys.
    mutating func insert(_ name: PrefsKeyName, prefixes: Set<String>) -> [String] {
        guard known.insert(name).inserted else { return [] }
        names.append(name)
        facts.note(name)
        for spelling in [name.name] + name.formerNames {
            let components = PrefsPath(spelling).components
            paths.insert(components)
            if spelling != name.name { former[components] = name.name }
            for depth in 1..<max(components.count, 1) { ancestors.insert(Array(components.prefix(depth))) }
        }
        return prefixes.sorted().flatMap { claims.insert(name, prefix: $0) }
    }

    /// A lock on any name of a key holds all of its names, and one beneath a name holds beneath all.
    func spread(_ locks: [PrefsLock]) -> [PrefsLock] {
        if locks.isEmpty { return locks }
        let renamed = names.filter { !$0.formerNames.isEmpty }.map(\.paths)
        return locks + renamed.flatMap { names in locks.flatMap { $0.spread(over: names) } }
    }

    /// A key that nobody declares, or that is declared by another name now.
    struct Unknown {
        let key: String
        let origin: PrefsOrigin
        var presentName: String?

        /// A key of a file, on whatever line.
        struct Place: Hashable {
            let key: String
            let layer: String?
            let file: String?
        }

        var place: Place { Place(key: key, layer: origin.layer, file: origin.file) }
    }

    /// The keys of a part that are neither declared nor beneath a declared one, and those with former names.
    func unknown(in part: PrefsSnapshot.Part) -> [Unknown] {
        if case .variables(let variables) = part.source.form { return unknown(in: variables, of: part) }
        var found: [Unknown] = []
        part.source.root.forEachEntry { key, content in
            collect(content, at: PrefsPath(key), of: part, into: &found)
        }
        return found
    }

    /// ``unknown(in:)`` of a part whose source changed at some places since `before` was found.
    func unknown(
        in part: PrefsSnapshot.Part, after before: [Unknown], changing paths: [PrefsPath]
    ) -> [Unknown] {
        let tops = Set(paths.map { $0.components[0] })
        var found = before.filter { !tops.contains(PrefsPath($0.key).components[0]) }
        for top in tops {
            let places = [PrefsPath(components: [top])] + part.source.literalKeys.beneath(PrefsPath(top))
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

    /// The known name that an unknown one most probably stands for.
    func nearest(to unknown: Unknown, variables: EnvironmentVariables?) -> String? {
        let candidates = names.map { name in
            variables.map { $0.variable(for: name) } ?? name.name
        }
        return Spelling.nearest(to: unknown.key, among: candidates)
    }
}

extension PrefsLock {
    /// The same lock under those of a key's names that it does not hold already.
    fileprivate func spread(over names: [PrefsPath]) -> [PrefsLock] {
        func held(at path: PrefsPath) -> PrefsLock { PrefsLock(path, origin: origin, height: height) }
        if names.contains(where: path.contains) { return names.filter { !path.contains($0) }.map(held) }
        guard let name = names.first(where: { $0.contains(path) }) else { return [] }
        let rest = path.components.dropFirst(name.components.count)
        return names.filter { $0 != name }.map { held(at: PrefsPath(components: $0.components + rest)) }
    }
}
