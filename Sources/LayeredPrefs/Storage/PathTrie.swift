import PrefsDocuments

/// A trie of observers by key path, which finds those affected by a change at, below or above their path.
///
/// Looking up a changed path takes time proportional to its depth and the number of observers found,
/// regardless of observers elsewhere. A change at `http` finds the observers of everything, `http` and
/// `http.port`, but not those of `http2`.
struct PathTrie<Observer> {
    private struct Node {
        var observers: [Int: Observer] = [:]
        var children: [String: Node] = [:]

        var isEmpty: Bool { observers.isEmpty && children.isEmpty }

        func add(to found: inout [Int: Observer]) {
            // Most nodes have none, and merging takes long even then.
            if observers.isEmpty { return }
            if found.isEmpty { found = observers } else { found.merge(observers) { first, _ in first } }
        }
    }

    private var root = Node()
    private var nextID = 0

    var isEmpty: Bool { root.isEmpty }

    /// Adds an observer of some paths, or of everything if `paths` is `nil`, and returns its number.
    mutating func add(_ observer: Observer, at paths: [PrefsPath]?) -> Int {
        nextID += 1
        for components in Self.places(paths) {
            Self.update(&root, at: components) { [nextID] in $0.observers[nextID] = observer }
        }
        return nextID
    }

    /// Removes an observer and returns it.
    @discardableResult
    mutating func remove(_ id: Int, at paths: [PrefsPath]?) -> Observer? {
        var removed: Observer?
        for components in Self.places(paths) {
            Self.update(&root, at: components) { removed = $0.observers.removeValue(forKey: id) ?? removed }
        }
        return removed
    }

    private static func places(_ paths: [PrefsPath]?) -> [ArraySlice<String>] {
        paths.map { $0.map { $0.components[...] } } ?? [[]]
    }

    /// Returns the observers that changes at these paths may affect, each once, in the order of registration.
    func observers(of paths: some Sequence<PrefsPath>) -> [Observer] {
        guard !isEmpty else { return [] }
        var found: [Int: Observer] = [:]
        for path in paths { collect(path, into: &found) }
        return Self.inOrder(found)
    }

    /// Returns the position of the first path at which a change may affect any observer; `nil` if there is none.
    func firstObserved(in paths: some Sequence<PrefsPath>) -> Int? {
        if isEmpty { return nil }
        var position = 0
        for path in paths {
            if !root.observers.isEmpty || hasObserver(of: path) { return position }
            position += 1
        }
        return nil
    }

    private func hasObserver(of path: PrefsPath) -> Bool {
        var node = root
        for key in path.components {
            guard let child = node.children[key] else { return false }
            if !child.observers.isEmpty { return true }
            node = child
        }
        // A node without observers and children is not kept.
        return true
    }

    /// All observers, in the order of registration.
    var all: [Observer] {
        var found = root.observers
        collectBelow(root, into: &found)
        return Self.inOrder(found)
    }

    private static func inOrder(_ found: [Int: Observer]) -> [Observer] {
        found.count == 1 ? Array(found.values) : found.sorted { $0.key < $1.key }.map(\.value)
    }

    private func collect(_ path: PrefsPath, into found: inout [Int: Observer]) {
        var node = root
        node.add(to: &found)
        for key in path.components {
            guard let child = node.children[key] else { return }
            node = child
            node.add(to: &found)
        }
        collectBelow(node, into: &found)
    }

    private func collectBelow(_ node: Node, into found: inout [Int: Observer]) {
        for child in node.children.values {
            child.add(to: &found)
            collectBelow(child, into: &found)
        }
    }

    private static func update(_ node: inout Node, at path: ArraySlice<String>, _ body: (inout Node) -> Void)
    {
        guard let key = path.first else { return body(&node) }
        var child = node.children.removeValue(forKey: key) ?? Node()
        update(&child, at: path.dropFirst(), body)
        if !child.isEmpty { node.children[key] = child }
    }
}
