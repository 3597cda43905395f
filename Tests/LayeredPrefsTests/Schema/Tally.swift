import Synchronization

/// Counts calls from any thread.
final class Tally: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    func add() { value.add(1, ordering: .sequentiallyConsistent) }
}
