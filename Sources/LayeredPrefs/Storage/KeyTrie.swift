import PrefsDocuments

/// Elements by key path, such as observers or declared keys. The trie finds the elements at, above and below
/// a path.
///
/// Looking up a path takes time proportional to its depth and to the number of elements found, regardless of
/// elements elsewhere. A change at `http` touches the elements at the root, at `http` and at `http.port`, but
/// not the elements at `http2`.
struct KeyTrie<Element: Sendable>: Sendable {
    private struct Node {
        /// The elements by number, which is the order of their addition.
        var elements: [Int: Element] = [:]
        /// The children that are not empty.
        var children: [String: Node] = [:]

        var isEmpty: Bool { elements.isEmpty && children.isEmpty }

        mutating func update(at path: ArraySlice<String>, _ body: (inout Node) -> Void) {
            guard let key = path.first else { return body(&self) }
            var child = children.removeValue(forKey: key) ?? Node()
            child.update(at: path.dropFirst(), body)
            if !child.isEmpty { children[key] = child }
        }

        func add(to found: inout [Int: Element]) {
            // Most nodes have no elements, and merging takes time even then.
            if elements.isEmpty { return }
            if found.isEmpty { found = elements } else { found.merge(elements) { first, _ in first } }
        }

        func addDescendants(to found: inout [Int: Element]) {
            for child in children.values {
                child.add(to: &found)
                child.addDescendants(to: &found)
            }
        }
    }

    private var root = Node()
    private var count = 0

    var isEmpty: Bool { root.isEmpty }

    /// Adds an element at some paths, or for everything if `paths` is `nil`, and returns its number.
    @discardableResult
    mutating func add(_ element: Element, at paths: [PrefsPath]?) -> Int {
        count += 1
        update(at: paths) { [count] in $0.elements[count] = element }
        return count
    }

    /// Removes an element and returns it.
    @discardableResult
    mutating func remove(_ number: Int, at paths: [PrefsPath]?) -> Element? {
        var removed: Element?
        update(at: paths) { removed = $0.elements.removeValue(forKey: number) ?? removed }
        return removed
    }

    private mutating func update(at paths: [PrefsPath]?, _ body: (inout Node) -> Void) {
        guard let paths else { return body(&root) }
        for path in paths { root.update(at: path.components[...], body) }
    }
}

extension KeyTrie {
    /// All elements, in the order of their addition.
    var all: [Element] {
        var found = root.elements
        root.addDescendants(to: &found)
        return Self.inOrder(found)
    }

    /// Returns the elements at a path itself, in the order of their addition.
    func elements(at path: PrefsPath) -> [Element] { node(at: path).map { Self.inOrder($0.elements) } ?? [] }

    /// Returns true if there are elements below a path.
    func hasElements(below path: PrefsPath) -> Bool { node(at: path).map { !$0.children.isEmpty } ?? false }

    /// Returns the elements at, above and below some paths, each once, in the order of their addition.
    func elements(touchedBy paths: some Sequence<PrefsPath>) -> [Element] {
        if isEmpty { return [] }
        var found: [Int: Element] = [:]
        for path in paths { collect(path, into: &found) }
        return Self.inOrder(found)
    }

    /// Returns the position of the first path that touches an element; `nil` if none does.
    func firstTouching(in paths: some Sequence<PrefsPath>) -> Int? {
        isEmpty ? nil : paths.enumerated().first { hasElements(touchedBy: $1) }?.offset
    }

    private func node(at path: PrefsPath) -> Node? {
        var node = root
        for key in path.components {
            guard let child = node.children[key] else { return nil }
            node = child
        }
        return node
    }

    private func hasElements(touchedBy path: PrefsPath) -> Bool {
        var node = root
        for key in path.components {
            if !node.elements.isEmpty { return true }
            guard let child = node.children[key] else { return false }
            node = child
        }
        return !node.isEmpty
    }

    private func collect(_ path: PrefsPath, into found: inout [Int: Element]) {
        var node = root
        node.add(to: &found)
        for key in path.components {
            guard let child = node.children[key] else { return }
            node = child
            node.add(to: &found)
        }
        node.addDescendants(to: &found)
    }

    private static func inOrder(_ found: [Int: Element]) -> [Element] {
        found.count < 2 ? Array(found.values) : found.sorted { $0.key < $1.key }.map(\.value)
    }
}
