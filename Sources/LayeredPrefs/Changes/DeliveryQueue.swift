import PrefsSystem
import Dispatch

/// The one thread that calls observers.
///
/// An observer's events wait in its ``Mailbox``, in order. Should a callback block for longer than
/// `patience` while others wait, another thread takes over from the one that is stuck, so that a slow
/// observer delays only its own later events; every mailbox is still emptied by one thread at a time.
final class DeliveryQueue: Sendable {
    static let shared = DeliveryQueue()

    private struct State {
        var ready: [Mailbox] = []
        /// Which worker is on duty; the others are stuck in a callback and end when it returns.
        var onDuty: UInt64 = 0
        var isRunning = false
        /// Counts callbacks, so that a late check knows whether it still looks at the same one.
        var callback: UInt64 = 0
        var isCalling = false
        var isReliefArmed = false
    }

    private let state = Lock(State())
    private let wake = DispatchSemaphore(value: 0)
    private let patience = DispatchTimeInterval.milliseconds(20)

    /// Has a mailbox emptied on the delivery thread.
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
        // Where the system has no thread left, one of the global queue's serves.
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

    /// Puts a mailbox that holds more back in line; `false` when another thread has taken over meanwhile.
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

    /// The callback to look at later, when somebody waits behind it and nobody looks yet.
    private func armRelief(_ state: inout State) -> UInt64? {
        guard state.isCalling, !state.ready.isEmpty, !state.isReliefArmed else { return nil }
        state.isReliefArmed = true
        return state.callback
    }

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

/// One observer's events, waiting in order.
final class Mailbox: Sendable {
    private struct State {
        var events: [@Sendable () -> Void] = []
        var isScheduled = false
        var isClosed = false
    }

    private let state = Lock(State())
    private let queue: DeliveryQueue

    init(queue: DeliveryQueue = .shared) { self.queue = queue }

    /// Adds an event, to be called on the delivery thread; `false` when the mailbox is closed.
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

    /// Drops what waits; no event begins after this returns.
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

    /// Whether more events wait; otherwise the next one schedules the mailbox anew.
    fileprivate func endDelivery() -> Bool {
        state.withLock { state in
            state.isScheduled = !state.events.isEmpty
            return state.isScheduled
        }
    }
}
