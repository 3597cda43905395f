/// A queue whose operations take amortized constant time.
///
/// Public for speed, not for use elsewhere; see ``Lock``.
@_documentation(visibility: internal)
public struct Fifo<Element> {
    /// The elements, after the empty places of the elements that have left.
    @usableFromInline var places: [Element?] = []
    /// The index of the oldest element.
    @usableFromInline var first = 0

    /// Creates an empty queue.
    @inlinable public init() {}

    /// True if there are no elements.
    @inlinable public var isEmpty: Bool { places.isEmpty }

    /// The number of elements.
    @inlinable public var count: Int { places.count - first }

    /// The newest element.
    @inlinable public var last: Element? { places.last ?? nil }

    /// Adds an element after the others.
    @inlinable public mutating func append(_ element: Element) { places.append(element) }

    /// Removes and returns the oldest element; `nil` if there is none.
    @inlinable public mutating func popFirst() -> Element? {
        if places.isEmpty { return nil }
        let element = places[first].take()
        first += 1
        if first == places.count {
            // Do not keep the memory of a long queue.
            places.removeAll(keepingCapacity: first < Self.shortCount)
            first = 0
        } else if first >= Self.shortCount, first >= places.count / 2 {
            places.removeFirst(first)
            first = 0
        }
        return element
    }

    @usableFromInline static var shortCount: Int { 32 }

    /// Replaces the newest element; the queue must not be empty.
    @inlinable public mutating func replaceLast(with element: Element) { places[places.count - 1] = element }
}

extension Fifo: Sendable where Element: Sendable {}
