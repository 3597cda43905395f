/// A queue whose operations take constant time, on average over many of them.
package struct Fifo<Element> {
    /// The elements, behind the empty places of those that have left.
    private var places: [Element?] = []
    /// The index of the oldest element.
    private var first = 0

    package init() {}

    package var isEmpty: Bool { places.isEmpty }

    package var count: Int { places.count - first }

    /// The newest element.
    package var last: Element? { places.last ?? nil }

    package mutating func append(_ element: Element) { places.append(element) }

    package mutating func popFirst() -> Element? {
        if places.isEmpty { return nil }
        let element = places[first].take()
        first += 1
        if first == places.count {
            // A queue that was long keeps no memory.
            places.removeAll(keepingCapacity: first < Self.shortCount)
            first = 0
        } else if first >= Self.shortCount, first >= places.count / 2 {
            places.removeFirst(first)
            first = 0
        }
        return element
    }

    private static var shortCount: Int { 32 }

    /// Replaces the newest element; the queue must not be empty.
    package mutating func replaceLast(with element: Element) { places[places.count - 1] = element }
}

extension Fifo: Sendable where Element: Sendable {}
