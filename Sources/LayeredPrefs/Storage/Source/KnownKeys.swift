import PrefsDocuments

/// The declared keys. The keys of files and variables are checked against them.
///
/// With `http.port` and `limits` declared, the file `{"http": {"prot": 1}, "limits": {"any": 1}, "zzz": 1}`
/// has two unknown keys: `http.prot` and `zzz`. `http` is above a declared key, so its entries are checked
/// one by one. Everything below the declared `limits` belongs to it.
struct KnownKeys {
    /// The declaration at a path.
    private enum Declaration: Equatable {
        /// A key, at its present and its former names.
        case key(PrefsKeyName)
        /// A key whose value is a struct; only its fields are known.
        case structure
        /// A field of a struct.
        case field

        /// Returns true if the content of the path is a section that holds other keys, and is not the value
        /// of the declared key.
        func isSection(_ content: PrefsContent, at path: PrefsPath) -> Bool {
            guard case .key(let name) = self, content.kind == .dictionary else { return false }
            return name.isSection(.dictionary([:]), at: path)
        }
    }

    private var declarations = KeyTrie<Declaration>()
    /// The keys, in the order of their declaration.
    private(set) var names: [PrefsKeyName] = []
    /// The places of the keys in ``names``.
    private var places: [PrefsKeyName: Int] = [:]
    /// The names of the structs' fields.
    private(set) var fields: [PrefsKeyName] = []
    /// The paths of each key with former names where locks may be set. The path of the present name comes first.
    private(set) var renamed: [[PrefsPath]] = []

    /// The paths of secret keys, whose values are printed, logged and exported only on request.
    private(set) var secrets = SecretPaths()

    /// The paths of the keys whose changes take effect only after a restart.
    private(set) var restarts: Set<PrefsPath> = []

    /// The keys with arrays of structs, whose fields are known.
    private(set) var elements: [ElementFields] = []
    private var keysOfElements: Set<PrefsKeyName> = []

    /// The variables that set the keys.
    private(set) var claims = VariableClaims()

    /// Adds a key, and returns an error for each of its environment variables that sets another key. If the
    /// key is already declared, this only adds facts about the key's type.
    mutating func insert(_ name: PrefsKeyName, prefixes: Set<String>) -> [PrefsError] {
        if let place = places[name] {
            names[place].adoptType(of: name)
            return []
        }
        let paths = name.paths
        declarations.add(.key(name), at: paths)
        places[name] = names.count
        names.append(name)
        let lockable = name.lockablePaths
        if lockable.count > 1 { renamed.append(lockable) }
        secrets.insert(name)
        return prefixes.sorted().flatMap { claims.insert(name, prefix: $0) }
    }

    /// Adds the fields of a struct that a key holds, so that other keys within it are unknown.
    mutating func insert(fields names: [PrefsKeyName], of key: String) {
        let path = PrefsPath(key)
        if declarations.elements(at: path).contains(.structure) { return }
        declarations.add(.structure, at: [path])
        declarations.add(.field, at: names.flatMap(\.paths))
        fields += names
    }

    /// Adds the fields of the structs in the array that a key holds, so that other fields within them are unknown.
    mutating func insert(_ new: ElementFields) {
        if keysOfElements.insert(new.key).inserted { elements.append(new) }
    }

    /// Notes that changes of a key take effect only after a restart.
    mutating func markNeedsRestart(_ name: PrefsKeyName) { restarts.formUnion(name.paths) }

    /// The relation of a stored key to the declared ones.
    enum Standing {
        case declared
        /// A former name of the declared key.
        case renamed(to: String)
        /// Declared keys lie below it.
        case aboveDeclared
        /// A declared struct, whose fields lie below it.
        case structure
        case unknown
    }

    func standing(of path: PrefsPath, with content: PrefsContent) -> Standing {
        let found = declarations.elements(at: path).filter { !$0.isSection(content, at: path) }
        if found.isEmpty { return declarations.hasElements(below: path) ? .aboveDeclared : .unknown }
        if found.contains(.structure) { return .structure }
        for case .key(let name) in found where name.name != path.name && PrefsPath(name.name) != path {
            return .renamed(to: name.name)
        }
        return .declared
    }

    /// Returns the names of a key, given its present one.
    func names(of present: String) -> PrefsKeyName? {
        for case .key(let name) in declarations.elements(at: PrefsPath(present)) where name.name == present {
            return name
        }
        return nil
    }

    /// Returns true if a path is a present or former name of a key.
    func isName(_ path: PrefsPath) -> Bool {
        declarations.elements(at: path).contains { if case .key = $0 { true } else { false } }
    }

    /// Returns `nil` if a text on the command line may set a path. It may set a key, a field of a struct, or an
    /// entry of a dictionary that merges. Otherwise, returns the end of the message that the key is unknown.
    func hint(aboutSetting path: PrefsPath) -> String? {
        func nearest(_ names: [String]) -> String {
            SpellingSuggestion.hint(SpellingSuggestion.nearest(to: path.name, among: names))
        }
        if isName(path) { return nil }
        guard let (key, whole) = key(above: path) else { return nearest(spellings(prefix: nil)) }
        if key.parseEntry != nil { return nil }
        let fields = key.fields?().map { PrefsPath(components: whole.components + $0.path) } ?? [whole]
        if fields.contains(path) { return nil }
        if let field = fields.first(where: { $0.contains(path) }) {
            return "; “\(field.name)” is set as a whole"
        }
        return nearest(fields.map(\.name))
    }

    /// Returns the outermost key above a path, and the key's name there; `nil` if there is none.
    private func key(above path: PrefsPath) -> (key: PrefsKeyName, name: PrefsPath)? {
        for name in path.ancestors.sorted(by: { $0.components.count < $1.components.count }) {
            for case .key(let key) in declarations.elements(at: name) {
                return (places[key].map { names[$0] } ?? key, name)
            }
        }
        return nil
    }

    /// Returns the declared names, to search for the correct spelling of an unknown key.
    ///
    /// - Parameter prefix: The prefix of the variables, if the unknown keys are variables. Then the result
    ///   has variables, too.
    func spellings(prefix: String?) -> [String] {
        (names + fields).map { name in prefix.map { name.variable(prefix: $0) } ?? name.name }
    }
}

/// The unknown keys of one revision of a source: the first few keys, and the number of all keys.
struct UnknownKeys {
    private(set) var listed: [UnknownKey] = []
    private(set) var count = 0

    /// The maximum number of keys that are listed.
    static let limit = PrefsLimits.reports

    mutating func add(_ key: @autoclosure () -> UnknownKey) {
        count += 1
        if listed.count < Self.limit { listed.append(key()) }
    }

    /// Adds the keys of another place.
    mutating func add(_ others: UnknownKeys) {
        listed += others.listed.prefix(Self.limit - listed.count)
        count += others.count
    }
}

/// A stored key that is not declared, or that is a former name of a declared key.
struct UnknownKey {
    let key: String
    var origin: PrefsOrigin
    /// The declared name, if the key is stored under a former one.
    var presentName: String?
    /// The same key under another name in another file of the layer, if the key is stored under a former name.
    var other: Other?
    /// The name of the field and the names that its struct has, if the key is a field of a struct in an array.
    var field: (name: String, known: [String])?

    /// A key under another name in another file.
    struct Other {
        let name: String
        let origin: PrefsOrigin
        /// True if the other file is the higher one, whose value is effective.
        let overrides: Bool
    }

    /// A key and the file that contains it, without the line, so that moving a key is not a new report.
    struct Place: Hashable {
        let key: String
        let layer: String?
        let file: String?
        /// The other name and file.
        let other: [String?]
    }

    var place: Place {
        Place(
            key: key, layer: origin.layer, file: origin.file,
            other: other.map { [$0.name, $0.origin.file] } ?? [])
    }
}

extension LockTable {
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
    ///
    /// - Parameter renamed: The names of each key that has several, the present one first.
    func spread(over renamed: [[PrefsPath]]) -> LockTable {
        if isEmpty { return self }
        var others: [PrefsLock] = []
        for names in renamed {
            for (index, name) in names.enumerated() {
                for lock in locks(onOrAbove: name) + locks(below: name) {
                    // A lock that concerns several names was found with the first of them.
                    let isDone = names[..<index].contains {
                        $0.contains(lock.path) || lock.path.contains($0)
                    }
                    if !isDone { others += lock.spread(over: names) }
                }
            }
        }
        return others.isEmpty ? self : LockTable(all + others)
    }
}

extension PrefsLock {
    /// Returns the lock on each of a key's names that it does not lock already.
    fileprivate func spread(over names: [PrefsPath]) -> [PrefsLock] {
        if names.contains(where: path.contains) { return names.filter { !path.contains($0) }.map(held) }
        guard let name = names.first(where: { $0.contains(path) }) else { return [] }
        let rest = path.components.dropFirst(name.components.count)
        return names.filter { $0 != name }.map { held(at: PrefsPath(components: $0.components + rest)) }
    }
}
