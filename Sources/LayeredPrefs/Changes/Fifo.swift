/// A queue whose operations take constant time, on average over many of them.
struct Fifo<Element> {
    private var added: [Element] = []
    /// The oldest elements, the first one last.
    private var leaving: [Element] = []

    var isEmpty: Bool { added.isEmpty && leaving.isEmpty }

    mutating func append(_ element: Element) { added.append(element) }

    mutating func popFirst() -> Element? {
        if let first = leaving.popLast() { return first }
        // A queue is usually short; a single element needs no reordering.
        if added.count > 1 {
            leaving = added.reversed()
            added.removeAll(keepingCapacity: true)
            return leaving.popLast()
        }
        return added.popLast()
    }
}

extension Fifo: Sendable where Element: Sendable {}
