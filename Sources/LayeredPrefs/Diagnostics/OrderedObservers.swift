/// Closures in the order in which they were added, each removed by its number in logarithmic time.
struct OrderedObservers<Event>: Sendable {
    typealias Body = @Sendable (Event) -> Void

    /// In ascending order of the numbers. A removed closure leaves its place empty until half of all places
    /// are.
    private var places: [(number: UInt64, body: Body?)] = []
    private var lastNumber: UInt64 = 0
    private var emptyPlaces = 0

    /// Adds a closure and returns its number.
    mutating func add(_ body: @escaping Body) -> UInt64 {
        lastNumber += 1
        places.append((lastNumber, body))
        return lastNumber
    }

    /// Removes a closure and returns it, so that the caller can release it when it holds no mutex.
    mutating func remove(_ number: UInt64) -> Body? {
        let index = places.indices.first(meeting: { places[$0].number >= number })
        guard index < places.count, places[index].number == number, let body = places[index].body else {
            return nil
        }
        places[index].body = nil
        emptyPlaces += 1
        if emptyPlaces > places.count / 2 {
            places.removeAll { $0.body == nil }
            emptyPlaces = 0
        }
        return body
    }

    var isEmpty: Bool { places.count == emptyPlaces }

    /// Calls all closures.
    func call(with event: Event) { for place in places { place.body?(event) } }

    /// The number of places that ``call(with:)`` visits.
    var placeCount: Int { places.count }
}
