package import PrefsSystem

/// The events of one observer. They are delivered one at a time, in the order of their addition, with no
/// mutex held.
///
/// While a delivery is under way, another thread or the observer itself may add an event. The same delivery
/// then delivers it afterwards. This keeps the order, and an observer that writes does not recurse.
package final class ObserverQueue: Sendable {
    package typealias Event = @Sendable () -> Void

    private struct State {
        var waiting = Fifo<Event>()
        /// True while a delivery is under way or scheduled, and until ``begin()``.
        var isTaken: Bool
        var isClosed = false

        /// Returns true if the caller must begin a delivery.
        mutating func take() -> Bool {
            if isTaken || waiting.isEmpty { return false }
            isTaken = true
            return true
        }
    }

    private let state: Lock<State>
    private let loop: EventLoop?
    private let kind: EventLoop.Kind

    /// - Parameters:
    ///   - loop: The loop whose threads deliver; `nil` for the thread that adds the event or drains the queue.
    ///   - kind: The kind of work that the events do.
    ///   - isHeld: True if events wait for ``begin()``.
    package init(on loop: EventLoop? = nil, as kind: EventLoop.Kind = .callback, isHeld: Bool = false) {
        self.loop = loop
        self.kind = kind
        state = Lock(State(isTaken: isHeld))
    }

    /// The number of events whose delivery has not begun.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds an event without delivering it; ``drain()`` delivers it. You may call this with a mutex held.
    func add(_ event: @escaping Event) {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(event) }
        }
    }

    /// Adds an event and delivers it. Returns false if the queue is closed.
    @discardableResult
    package func post(_ event: @escaping Event) -> Bool {
        let (isOpen, begins) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(event)
            return (true, state.take())
        }
        if begins { deliver() }
        return isOpen
    }

    /// Delivers the waiting events. If a delivery is under way, that delivery delivers them.
    func drain() { if state.withLock({ $0.take() }) { deliver() } }

    /// Ends the hold of a queue that was created with `isHeld`.
    package func begin() { if endDelivery() { deliver() } }

    /// Discards the waiting events. An event that another thread has just taken may still begin.
    package func close() {
        state.withLockReleasing { state in
            state.isClosed = true
            defer { state.waiting = Fifo() }
            return state.waiting
        }
    }

    private func deliver() {
        guard let loop else {
            repeat { deliverNext() } while endDelivery()
            return
        }
        // One event at a time, so that the queues of other observers take turns with this one.
        loop.post(kind) { [self] in
            deliverNext()
            if endDelivery() { deliver() }
        }
    }

    /// Delivers one event. Only the thread that is delivering calls it.
    private func deliverNext() {
        let event = state.withLock { $0.waiting.popFirst() }
        event?()
    }

    /// Returns true if more events wait. The caller then delivers them.
    private func endDelivery() -> Bool {
        state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken
        }
    }
}
