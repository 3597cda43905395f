/// A queue whose operations take constant time, on average over many of them.
package struct Fifo<Element> {
    private var added: [Element] = []
    /// The oldest elements, the first one last.
    private var leaving: [Element] = []

    package init() {}

    package var isEmpty: Bool { added.isEmpty && leaving.isEmpty }

    package var count: Int { added.count + leaving.count }

    /// The newest element.
    package var last: Element? { added.last ?? leaving.first }

    package mutating func append(_ element: Element) { added.append(element) }

    package mutating func popFirst() -> Element? {
        if let first = leaving.popLast() { return first }
        // A queue is usually short; a single element needs no reordering.
        if added.count > 1 {
            leaving = added.reversed()
            added.removeAll(keepingCapacity: true)
            return leaving.popLast()
        }
        return added.popLast()
    }

    /// Replaces the newest element; the queue must not be empty.
    package mutating func replaceLast(with element: Element) {
        if added.isEmpty { leaving[0] = element } else { added[added.count - 1] = element }
    }
}

extension Fifo: Sendable where Element: Sendable {}
