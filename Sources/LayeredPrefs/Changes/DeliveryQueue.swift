import PrefsSystem
import Dispatch

/// The thread that calls observers.
///
/// An observer's events wait in its ``Mailbox``, in order. If a callback blocks for longer than `patience`
/// while other mailboxes wait, another thread replaces the blocked one, so that a slow observer delays only
/// its own later events. A mailbox is still drained by only one thread at a time.
final class DeliveryQueue: Sendable {
    static let shared = DeliveryQueue()

    private struct State {
        /// The mailboxes that have events, in the order in which they are served.
        var ready: [Mailbox] = []
        /// The number of the active worker. Replaced ones are in a blocked callback and end when it returns.
        var onDuty: UInt64 = 0
        var isRunning = false
        /// The number of callbacks so far, by which a delayed check recognizes the one it was scheduled for.
        var callback: UInt64 = 0
        /// True while the active worker is in a callback.
        var isCalling = false
        /// True while a check for a blocked callback is scheduled.
        var isReliefArmed = false
    }

    private let state = Lock(State())
    private let wake = DispatchSemaphore(value: 0)
    private let patience = DispatchTimeInterval.milliseconds(20)

    /// Queues a mailbox, whose events are then delivered on the delivery thread.
    func schedule(_ mailbox: Mailbox) {
        let (starts, watches) = state.withLock { state in
            state.ready.append(mailbox)
            let starts = !state.isRunning
            state.isRunning = true
            if starts { state.onDuty += 1 }
            return (starts ? state.onDuty : nil, armRelief(&state))
        }
        if let starts { startWorker(starts) }
        wake.signal()
        if let watches { relieve(ifStillIn: watches) }
    }

    private func startWorker(_ number: UInt64) {
        let work: @Sendable () -> Void = { [self] in run(as: number) }
        // If the system cannot create a thread, use one of the global queue's.
        if !BackgroundThread.start(named: "prefs-delivery", work) {
            DispatchQueue.global().async(execute: work)
        }
    }

    private func run(as worker: UInt64) {
        while true {
            wake.wait()
            while let (mailbox, watches) = next(for: worker) {
                if let watches { relieve(ifStillIn: watches) }
                mailbox.deliverNext()
                guard finish(mailbox, as: worker) else { return }
            }
        }
    }

    private func next(for worker: UInt64) -> (Mailbox, watches: UInt64?)? {
        state.withLock { state in
            guard state.onDuty == worker, !state.ready.isEmpty else { return nil }
            state.callback += 1
            state.isCalling = true
            return (state.ready.removeFirst(), armRelief(&state))
        }
    }

    /// Queues a mailbox again if it has more events; returns false if this worker has been replaced.
    private func finish(_ mailbox: Mailbox, as worker: UInt64) -> Bool {
        let again = mailbox.endDelivery()
        let isOnDuty = state.withLock { state in
            if again { state.ready.append(mailbox) }
            if state.onDuty == worker { state.isCalling = false }
            return state.onDuty == worker
        }
        if again, !isOnDuty { wake.signal() }
        return isOnDuty
    }

    /// Returns the number of the callback to check later; `nil` if no mailbox waits behind it, or if a check
    /// is already scheduled.
    private func armRelief(_ state: inout State) -> UInt64? {
        guard state.isCalling, !state.ready.isEmpty, !state.isReliefArmed else { return nil }
        state.isReliefArmed = true
        return state.callback
    }

    /// Replaces the active worker after `patience` if it is still in the same callback while mailboxes wait.
    private func relieve(ifStillIn callback: UInt64) {
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [self] in
            let (starts, watches) = state.withLock { state -> (UInt64?, UInt64?) in
                state.isReliefArmed = false
                guard state.isCalling, !state.ready.isEmpty else { return (nil, nil) }
                guard state.callback == callback else { return (nil, armRelief(&state)) }
                state.onDuty += 1
                state.isCalling = false
                return (state.onDuty, nil)
            }
            if let starts {
                startWorker(starts)
                wake.signal()
            }
            if let watches { relieve(ifStillIn: watches) }
        }
    }
}

/// The queue of one observer's events.
final class Mailbox: Sendable {
    private struct State {
        var events: [@Sendable () -> Void] = []
        var isScheduled = false
        var isClosed = false
    }

    private let state = Lock(State())
    private let queue: DeliveryQueue

    init(queue: DeliveryQueue = .shared) { self.queue = queue }

    /// Adds an event, to be called on the delivery thread; returns false if the mailbox is closed.
    @discardableResult
    func post(_ event: @escaping @Sendable () -> Void) -> Bool {
        let (isOpen, schedules) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.events.append(event)
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if schedules { queue.schedule(self) }
        return isOpen
    }

    /// Discards the pending events; no event begins after this returns.
    func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            defer { state.events = [] }
            return state.events
        }
        _ = dropped
    }

    fileprivate func deliverNext() {
        let event = state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
        event?()
    }

    /// Returns true if more events wait; otherwise the next event schedules the mailbox again.
    fileprivate func endDelivery() -> Bool {
        state.withLock { state in
            state.isScheduled = !state.events.isEmpty
            return state.isScheduled
        }
    }
}
