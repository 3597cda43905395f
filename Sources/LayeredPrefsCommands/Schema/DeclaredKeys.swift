import LayeredPrefs

/// The keys that a program declares, indexed by name.
struct DeclaredKeys: Sendable {
    /// The keys, in the order of declaration.
    let keys: [DeclaredKey]
    /// The path of the schema; `nil` if the application itself declares the keys.
    let origin: String?
    private var indices: [String: Int] = [:]
    private var formerIndices: [String: Int] = [:]
    private var groups: Set<String> = []

    init(_ keys: [DeclaredKey], origin: String?) {
        self.keys = keys
        self.origin = origin
        for (index, key) in keys.enumerated() {
            indices[key.name] = index
            for name in key.traits.formerNames { formerIndices[name] = index }
            groups.formUnion(DottedName.ancestors(of: key.name))
        }
    }

    /// The key with this name.
    subscript(name: String) -> DeclaredKey? { indices[name].map { keys[$0] } }

    /// Returns the key that formerly had this name.
    func renamed(_ name: String) -> DeclaredKey? { formerIndices[name].map { keys[$0] } }

    /// Returns true if there are keys below this name.
    func isGroup(_ name: String) -> Bool { groups.contains(name) }

    /// Returns the key that holds the value at a path: the key with this name, or a dictionary above it.
    func holder(of path: String) -> DeclaredKey? {
        self[path] ?? DottedName.ancestors(of: path).lazy.compactMap { self[$0] }.first
    }

    func below(_ prefix: String) -> [DeclaredKey] { keys.filter { DottedName.isBelow($0.name, prefix) } }

    /// Returns the declared name that is most similar to a misspelled one.
    func nearest(to name: String) -> String? {
        SpellingSuggestion.nearest(to: name, among: keys.map(\.name) + groups)
    }
}

/// Operations on dotted names as paths.
enum DottedName {
    static func components(_ name: String) -> [String] {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.contains("") ? [name] : parts
    }

    /// Returns the names above this one, nearest first.
    static func ancestors(of name: String) -> [String] {
        let components = components(name)
        return (1..<max(components.count, 1)).reversed().map { components.prefix($0).joined(separator: ".") }
    }

    /// Returns true if a name equals `prefix` or is below it; every name is below the empty one.
    static func isBelow(_ name: String, _ prefix: String) -> Bool {
        prefix.isEmpty || name == prefix || name.hasPrefix(prefix + ".")
    }
}
