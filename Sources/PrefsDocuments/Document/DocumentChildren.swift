/// The indices of a container's children, without those that a later duplicate shadows.
struct DocumentChildren: Sequence, IteratorProtocol {
    private let nodes: [DocumentNode]
    private var child: Int
    private let end: Int

    init(of index: Int, in nodes: [DocumentNode]) {
        self.init(of: index, in: nodes, isEmpty: !nodes[index].isContainer)
    }

    /// Creates an empty sequence if the node is of another kind.
    init(of index: Int, in nodes: [DocumentNode], kind: PrefsValue.Kind) {
        self.init(of: index, in: nodes, isEmpty: nodes[index].kind != kind)
    }

    private init(of index: Int, in nodes: [DocumentNode], isEmpty: Bool) {
        self.nodes = nodes
        child = index + 1
        end = isEmpty ? child : Int(nodes[index].next)
    }

    /// Continues with the entry after a child.
    mutating func resume(behind child: Int) { self.child = Int(nodes[child].next) }

    mutating func next() -> Int? {
        while child < end {
            let current = child
            child = Int(nodes[child].next)
            if !nodes[current].flags.contains(.shadowed) { return current }
        }
        return nil
    }
}
