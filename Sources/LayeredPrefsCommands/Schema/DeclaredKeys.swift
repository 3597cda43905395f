import LayeredPrefs

/// The keys that a program declares, found by name.
struct DeclaredKeys: Sendable {
    /// In the order of declaration.
    let keys: [DeclaredKey]
    /// The schema's file; `nil` where the application itself knows its keys.
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

    /// The key of this name.
    subscript(name: String) -> DeclaredKey? { indices[name].map { keys[$0] } }

    /// The key that once had this name.
    func renamed(_ name: String) -> DeclaredKey? { formerIndices[name].map { keys[$0] } }

    /// Whether keys lie beneath this name.
    func isGroup(_ name: String) -> Bool { groups.contains(name) }

    /// The key that holds what lies at a path: of this name, or a dictionary above it.
    func holder(of path: String) -> DeclaredKey? {
        self[path] ?? DottedName.ancestors(of: path).lazy.compactMap { self[$0] }.first
    }

    func beneath(_ prefix: String) -> [DeclaredKey] { keys.filter { DottedName.isBeneath($0.name, prefix) } }

    /// The declared name that a misspelt one most probably stands for.
    func nearest(to name: String) -> String? {
        Spelling.nearest(to: name, among: keys.map(\.name) + groups)
    }
}

/// Dotted names seen as paths.
enum DottedName {
    static func components(_ name: String) -> [String] {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.contains("") ? [name] : parts
    }

    /// The names of what lies above, the nearest first.
    static func ancestors(of name: String) -> [String] {
        let components = components(name)
        return (1..<max(components.count, 1)).reversed().map { components.prefix($0).joined(separator: ".") }
    }

    /// Whether a name is this one or lies beneath it; everything lies beneath the empty one.
    static func isBeneath(_ name: String, _ prefix: String) -> Bool {
        prefix.isEmpty || name == prefix || name.hasPrefix(prefix + ".")
    }
}
