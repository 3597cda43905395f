import Synchronization

/// A list of closures in the order of their addition. A closure is found by its number in logarithmic time.
struct OrderedObservers<Event>: Sendable {
    typealias Body = @Sendable (Event) -> Void

    /// A closure, which all copies of the list share.
    final class Observer: Sendable {
        let body: Body
        let isRemoved = Atomic(false)

        init(_ body: @escaping Body) { self.body = body }
    }

    /// The places, in ascending order of the numbers. A removed closure leaves its place empty until more
    /// than half of all places are empty.
    private var places: [(number: UInt64, observer: Observer?)] = []
    private var lastNumber: UInt64 = 0
    private var emptyPlaces = 0

    /// Adds a closure and returns its number.
    mutating func add(_ body: @escaping Body) -> UInt64 {
        lastNumber += 1
        places.append((lastNumber, Observer(body)))
        return lastNumber
    }

    /// Removes a closure from this list and from its copies, and returns it. The caller can then release it
    /// while it holds no mutex.
    mutating func remove(_ number: UInt64) -> Observer? {
        let index = places.indices.first(meeting: { places[$0].number >= number })
        guard index < places.count, places[index].number == number, let observer = places[index].observer
        else { return nil }
        observer.isRemoved.store(true, ordering: .releasing)
        places[index].observer = nil
        emptyPlaces += 1
        if emptyPlaces > places.count / 2 {
            places.removeAll { $0.observer == nil }
            emptyPlaces = 0
        }
        return observer
    }

    var isEmpty: Bool { places.count == emptyPlaces }

    /// Calls all closures, except those that a thread has removed in the meantime.
    func call(with event: Event) {
        for case let observer? in places.lazy.map(\.observer)
        where !observer.isRemoved.load(ordering: .acquiring) {
            observer.body(event)
        }
    }

    /// The number of places that ``call(with:)`` visits.
    var placeCount: Int { places.count }
}
