/// The indices of a container's children, without children that a later duplicate shadows.
struct DocumentChildren: Sequence, IteratorProtocol {
    private let nodes: [DocumentNode]
    private var child: Int
    private let end: Int

    /// - Parameter kind: The required kind of container. For any other kind, the sequence is empty.
    init(of index: Int, in nodes: [DocumentNode], kind: PrefsValue.Kind? = nil) {
        self.nodes = nodes
        child = index + 1
        let container = nodes[index]
        end = container.isContainer && container.kind == kind ?? container.kind ? Int(container.next) : child
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
