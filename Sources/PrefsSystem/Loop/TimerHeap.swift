/// One-shot timers in a binary heap, which finds the earliest at once.
struct TimerHeap<Body> {
    private struct Entry {
        let due: Duration
        let number: UInt64

        /// Timers that are due at the same time go off in the order of their numbers.
        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }
    }

    /// The timers, including cancelled ones that have not reached the top.
    private var entries: [Entry] = []
    /// The bodies of the timers that have not been cancelled.
    private var bodies: [UInt64: Body] = [:]

    init() {}

    var isEmpty: Bool { bodies.isEmpty }

    /// The time of the earliest timer.
    var due: Duration? { entries.first?.due }

    /// Adds a timer. Its number must be larger than all numbers before it.
    mutating func add(_ number: UInt64, due: Duration, _ body: Body) {
        bodies[number] = body
        entries.append(Entry(due: due, number: number))
        var index = entries.count - 1
        while index > 0, entries[index] < entries[(index - 1) / 2] {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes a timer, and returns its body; `nil` if the timer has gone off or been cancelled.
    mutating func cancel(_ number: UInt64) -> Body? {
        guard let body = bodies.removeValue(forKey: number) else { return nil }
        // A timer that is set again and again must not fill the heap.
        if entries.count > 2 * bodies.count + 16 {
            entries = entries.filter { bodies[$0.number] != nil }.sorted(by: <)
        }
        dropCancelled()
        return body
    }

    /// Removes the timers that are due and returns their bodies, the earliest first.
    mutating func takeDue(at now: Duration) -> [Body] {
        var taken: [Body] = []
        while let first = entries.first, first.due <= now {
            if let body = bodies.removeValue(forKey: first.number) { taken.append(body) }
            removeFirst()
        }
        dropCancelled()
        return taken
    }

    /// Removes cancelled entries from the top, because ``due`` has to be the time of a timer.
    private mutating func dropCancelled() {
        while let first = entries.first, bodies[first.number] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var index = 0
        while true {
            let children = (2 * index + 1)..<min(2 * index + 3, max(entries.count, 2 * index + 1))
            guard let least = children.min(by: { entries[$0] < entries[$1] }),
                entries[least] < entries[index]
            else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}

extension TimerHeap: Sendable where Body: Sendable {}
