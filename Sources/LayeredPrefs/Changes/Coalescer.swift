import PrefsSystem
import Dispatch

/// Runs an action immediately after a quiet period, and once more for the calls that follow closely.
///
/// The first call of a burst runs the action on the caller's thread without delay, unless the coalescer
/// settles: then the first call is coalesced too. Further calls lead to one run once there has been no call
/// for a `window`, or after five windows at the latest, so that an endless burst still has runs. The last run
/// always begins after the last call, so nothing is lost at the end. With a window of 50 ms:
///
/// | calls at            | runs at                | runs at, if it settles |
/// |---------------------|------------------------|------------------------|
/// | 0, 10, 20 ms        | 0, 70 ms               | 70 ms                  |
/// | 0, 10, 20 … 400 ms  | 0, 260, 450 ms         | 250, 450 ms            |
final class Coalescer: Sendable {
    private struct State {
        var lastCall: DispatchTime?
        /// The latest time at which the coalesced calls run; `nil` if there are none.
        var limit: DispatchTime?
    }

    private let window: DispatchTimeInterval
    /// The longest time that a coalesced call waits: five windows.
    private let cap: DispatchTimeInterval
    private let settles: Bool
    private let queue: DispatchQueue
    private let state = Lock(State())
    private let action: @Sendable () -> Void

    init(window: Duration, settles: Bool = false, label: String, _ action: @escaping @Sendable () -> Void) {
        self.window = window.dispatchInterval
        self.settles = settles && window > .zero
        self.action = action
        cap = (window * 5).dispatchInterval
        queue = DispatchQueue(label: label)
    }

    /// Runs the action now or schedules it.
    func call() {
        let now = DispatchTime.now()
        let (runs, waits) = state.withLock { state in
            defer { state.lastCall = now }
            if state.limit != nil { return (false, false) }
            let isFirst = state.lastCall.map { now >= $0 + window } ?? true
            if isFirst, !settles { return (true, false) }
            state.limit = now + cap
            return (false, true)
        }
        if runs { action() }
        if waits { wait(until: now + window) }
    }

    private func wait(until deadline: DispatchTime) {
        queue.asyncAfter(deadline: deadline) { [weak self] in self?.runIfQuiet() }
    }

    private func runIfQuiet() {
        let now = DispatchTime.now()
        let later = state.withLock { state -> DispatchTime? in
            let quiet = (state.lastCall ?? now) + window
            if let limit = state.limit, now < quiet, now < limit { return min(quiet, limit) }
            state.limit = nil
            return nil
        }
        if let later { wait(until: later) } else { action() }
    }
}

extension Duration {
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
