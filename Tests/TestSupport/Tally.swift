import Synchronization

/// Counts calls from any thread.
package final class Tally: Sendable {
    private let value = Atomic<Int>(0)

    package init() {}

    package var count: Int { value.load(ordering: .sequentiallyConsistent) }

    package func add() { value.add(1, ordering: .sequentiallyConsistent) }
}
