import PrefsDocuments

/// A tree of declared keys, built from their dotted paths, in the order of declaration.
struct KeyTree {
    enum Node {
        case key(PrefsKeyDescription)
        case group(KeyTree)
    }

    private(set) var entries: [(name: String, node: Node)] = []

    init(_ keys: [PrefsKeyDescription]) {
        for key in keys.flatMap(\.parts) { insert(key, at: PrefsPath(key.name).components[...]) }
    }

    private mutating func insert(_ key: PrefsKeyDescription, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let rest = path.dropFirst()
        guard !rest.isEmpty else { return entries.append((name, .key(key))) }
        for index in entries.indices where entries[index].name == name {
            guard case .group(var group) = entries[index].node else { continue }
            group.insert(key, at: rest)
            entries[index].node = .group(group)
            return
        }
        var group = KeyTree([])
        group.insert(key, at: rest)
        entries.append((name, .group(group)))
    }
}
