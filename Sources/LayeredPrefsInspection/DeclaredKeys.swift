package import LayeredPrefs

/// The keys that a program declares, by name.
package struct DeclaredKeys: Sendable {
    /// The keys in the order of their declarations.
    package let all: [PrefsKeyDescription]
    /// The paths of secrets, under their current and former names.
    package private(set) var secrets = SecretPaths()
    private var indices: [String: Int] = [:]
    private var formerIndices: [String: Int] = [:]
    private var groups: Set<String> = []

    package init(_ keys: [PrefsKeyDescription]) {
        all = keys
        for (index, key) in keys.enumerated() {
            indices[PrefsPath(key.name).name] = index
            secrets.insert(key.names)
            for name in key.formerNames { formerIndices[PrefsPath(name).name] = index }
            groups.formUnion(PrefsPath(key.name).ancestors.map(\.name))
        }
    }

    /// The key with this name.
    package subscript(name: String) -> PrefsKeyDescription? { indices[PrefsPath(name).name].map { all[$0] } }

    /// Returns the key that formerly had this name.
    package func renamed(_ name: String) -> PrefsKeyDescription? {
        formerIndices[PrefsPath(name).name].map { all[$0] }
    }

    /// Returns true if there are declared keys below this name.
    package func isGroup(_ name: String) -> Bool { groups.contains(PrefsPath(name).name) }

    /// Returns the key that holds the value at a path: the key with this name, or a declared key above it.
    package func holder(of path: String) -> PrefsKeyDescription? {
        self[path] ?? PrefsPath(path).ancestors.reversed().lazy.compactMap { self[$0.name] }.first
    }

    /// Returns true if a declared key has this name or holds its value.
    func holds(_ name: String) -> Bool { holder(of: name) != nil }

    /// Returns the declared name that is most similar to a misspelled one.
    package func nearest(to name: String) -> String? {
        SpellingSuggestion.nearest(to: name, among: all.map(\.name) + groups)
    }

    /// Returns a remark about a name that is not a declared key: it is part of a key, or it is unknown. Returns
    /// `nil` for a name above declared keys, and if no keys are declared.
    package func note(on name: String) -> String? {
        if all.isEmpty || self[name] != nil || isGroup(name) { return nil }
        if let holder = holder(of: name) { return "part of “\(holder.name)”" }
        return "unknown key\(SpellingSuggestion.hint(nearest(to: name)))"
    }
}
