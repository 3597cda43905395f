import LayeredPrefs
import LayeredPrefsInspection

/// The keys that a watch reports: the named keys and all keys below them, or all keys if none is named.
struct WatchedKeys: Sendable {
    private let names: [String]
    /// The declared keys among the watched ones.
    let declared: [PrefsKeyDescription]
    private let known: DeclaredKeys?

    init(_ names: [String], _ stack: Stack) {
        let names = names.map { name in
            guard stack.declared?[name] == nil, let renamed = stack.declared?.renamed(name) else {
                return name
            }
            Output.warn("\(name): renamed to “\(renamed.name)”")
            return renamed.name
        }
        self.names = names
        known = stack.declared
        declared =
            stack.declared?.all.filter { key in
                names.isEmpty
                    || names.contains {
                        key.name.isBelow($0) || $0.isBelow(key.name)
                    }
            } ?? []
        guard let known else { return }
        for name in names where known.holder(of: name) == nil && !known.isGroup(name) {
            let hint = SpellingSuggestion.hint(known.nearest(to: name))
            Output.warn("\(name): unknown key\(hint)")
        }
    }

    /// Returns true if the watch reports this key and no declared key holds the key.
    func includesUndeclared(_ name: String) -> Bool {
        guard names.isEmpty || names.contains(where: { name.isBelow($0) }) else { return false }
        return known?.holder(of: name) == nil
    }

    func includes(_ report: KeyReport) -> Bool {
        if report.declared != nil { return declared.contains { $0.name == report.key } }
        return includesUndeclared(report.key)
    }
}
