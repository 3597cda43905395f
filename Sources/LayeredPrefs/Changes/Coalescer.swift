import PrefsSystem
import Dispatch

/// Runs an action at once after quiet, and gathers what follows closely into one more run.
///
/// Of a burst, the first call runs on the caller's thread without delay, unless the coalescer settles: then it
/// is gathered, too. Further calls lead to one run when there has been none for a `window`, or after five
/// windows at the latest, so that a burst which never ends is still seen. The last run begins after the last
/// call: nothing is lost at the end.
final class Coalescer: Sendable {
    private struct State {
        var lastCall: DispatchTime?
        /// When the gathered calls run at the latest; `nil` while none is gathered.
        var limit: DispatchTime?
    }

    private let window: DispatchTimeInterval
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

    /// Runs the action now, or sees to it that it runs soon.
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
