import LayeredPrefs
import PrefsDocuments

/// A tree of declared keys by their dotted paths, in the order of their declarations.
struct KeyTree {
    enum Node {
        case key(PrefsKeyDescription)
        /// A former name of a key.
        case formerName(of: PrefsKeyDescription)
        case group(KeyTree)
    }

    private(set) var entries: [(name: String, node: Node)] = []

    init(_ keys: [PrefsKeyDescription]) {
        for key in keys.flatMap(\.parts) { insert(.key(key), at: PrefsPath(key.name).components[...]) }
    }

    /// Adds the former names of keys, except names that something else uses by now.
    mutating func insertFormerNames(of keys: [PrefsKeyDescription]) {
        for key in keys {
            for name in key.formerNames {
                let path = PrefsPath(name).components[...]
                if !hasNode(above: path) { insert(.formerName(of: key), at: path) }
            }
        }
    }

    private mutating func insert(_ node: Node, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let rest = path.dropFirst()
        guard !rest.isEmpty else { return entries.append((name, node)) }
        for index in entries.indices where entries[index].name == name {
            guard case .group(var group) = entries[index].node else { continue }
            group.insert(node, at: rest)
            entries[index].node = .group(group)
            return
        }
        var group = KeyTree([])
        group.insert(node, at: rest)
        entries.append((name, .group(group)))
    }

    /// Returns true if there is anything at a path, or anything but groups on the way to it.
    private func hasNode(above path: ArraySlice<String>) -> Bool {
        guard let entry = entries.first(where: { $0.name == path.first }) else { return false }
        guard path.count > 1, case .group(let group) = entry.node else { return true }
        return group.hasNode(above: path.dropFirst())
    }
}
