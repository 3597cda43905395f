import LayeredPrefs

/// The keys that a program declares, indexed by name.
struct DeclaredKeys: Sendable {
    /// The keys, in the order of declaration.
    let keys: [DeclaredKey]
    /// The path of the schema; `nil` if the application itself declares the keys.
    let origin: String?
    /// The locations of the program's files, if the schema states them.
    var locations: PrefsFileLocations?
    /// The prefix of the program's environment variables, if the schema states it.
    var environmentPrefix: String?
    private var indices: [String: Int] = [:]
    private var formerIndices: [String: Int] = [:]
    private var groups: Set<String> = []
    /// The paths of secrets, under present and former names.
    private(set) var secrets = SecretPaths()

    init(_ keys: [DeclaredKey], origin: String?) {
        self.keys = keys
        self.origin = origin
        for (index, key) in keys.enumerated() {
            indices[PrefsPath(key.name).name] = index
            secrets.insert(key.names)
            for name in key.traits.formerNames { formerIndices[PrefsPath(name).name] = index }
            groups.formUnion(PrefsPath(key.name).ancestors.map(\.name))
        }
    }

    /// The key with this name.
    subscript(name: String) -> DeclaredKey? { indices[PrefsPath(name).name].map { keys[$0] } }

    /// Returns the key that formerly had this name.
    func renamed(_ name: String) -> DeclaredKey? {
        formerIndices[PrefsPath(name).name].map { keys[$0] }
    }

    /// Returns true if there are keys below this name.
    func isGroup(_ name: String) -> Bool { groups.contains(PrefsPath(name).name) }

    /// Returns the key that holds the value at a path: the key with this name, or a dictionary above it.
    func holder(of path: String) -> DeclaredKey? {
        self[path] ?? PrefsPath(path).ancestors.reversed().lazy.compactMap { self[$0.name] }.first
    }

    func below(_ prefix: String) -> [DeclaredKey] { keys.filter { $0.name.isBelow(prefix) } }

    /// Returns the declared name that is most similar to a misspelled one.
    func nearest(to name: String) -> String? {
        SpellingSuggestion.nearest(to: name, among: keys.map(\.name) + groups)
    }
}

extension DeclaredKeys? {
    /// The secrets of the program; without a schema, the keys whose names suggest one.
    var secrets: SecretPaths { self?.secrets ?? .suspected }
}

extension String {
    /// Returns true if this name's path is that of `prefix` or is below it; every name is below the empty one.
    func isBelow(_ prefix: String) -> Bool {
        prefix.isEmpty || PrefsPath(prefix).contains(PrefsPath(self))
    }
}
