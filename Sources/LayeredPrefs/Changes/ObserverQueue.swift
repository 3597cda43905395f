package import PrefsSystem

/// The events of one observer, delivered one at a time, in the order in which they were added, with no mutex
/// held.
///
/// An event that is added during a delivery, by another thread or by the observer itself, is delivered by
/// that delivery when it has finished: order is kept, and an observer that writes does not recurse.
package final class ObserverQueue: Sendable {
    package typealias Event = @Sendable () -> Void

    private struct State {
        var waiting = Fifo<Event>()
        /// True while a delivery is under way or scheduled, and until ``begin()``.
        var isTaken: Bool
        var isClosed = false

        /// Returns true if a delivery is to begin.
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
    ///   - loop: The loop whose threads deliver; `nil` for the thread that adds the event, or drains the queue.
    ///   - kind: The kind of what the events do.
    ///   - isHeld: True if events wait for ``begin()``.
    package init(on loop: EventLoop? = nil, as kind: EventLoop.Kind = .callback, isHeld: Bool = false) {
        self.loop = loop
        self.kind = kind
        state = Lock(State(isTaken: isHeld))
    }

    /// The number of events whose delivery has not begun.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds an event without delivering it, so it may be called with a mutex held; ``drain()`` delivers it.
    func add(_ event: @escaping Event) {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(event) }
        }
    }

    /// Adds an event and delivers it; returns false if the queue is closed.
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

    /// Delivers the waiting events, unless a delivery is under way, which then delivers them.
    func drain() { if state.withLock({ $0.take() }) { deliver() } }

    /// Ends the hold with which the queue was created.
    package func begin() { if endDelivery() { deliver() } }

    /// Discards the waiting events; no event begins after this returns.
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
        // One event at a time: the queues of other observers take turns with this one.
        loop.post(kind) { [self] in
            deliverNext()
            if endDelivery() { deliver() }
        }
    }

    /// Delivers one event; called only by the thread that is delivering.
    private func deliverNext() {
        let event = state.withLock { $0.waiting.popFirst() }
        event?()
    }

    /// Returns true if more events wait, which the caller then delivers.
    private func endDelivery() -> Bool {
        state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken
        }
    }
}
