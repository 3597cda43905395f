import Dispatch
import FileWatching

/// Runs an action at once after quiet, and gathers what follows closely into one more run.
///
/// Of a burst, the first call runs on the caller's thread without delay; the calls during the `window` after
/// a run lead to one run at its end. So a burst shorter than the window is at most two runs, and the last
/// run begins after the last call: nothing is lost at the end.
final class Coalescer: Sendable {
    private struct State {
        var lastRun: DispatchTime?
        var isScheduled = false
    }

    private let window: Duration
    private let queue: DispatchQueue
    private let state = Lock(State())
    private let action: @Sendable () -> Void

    init(window: Duration, label: String, _ action: @escaping @Sendable () -> Void) {
        self.window = window
        self.action = action
        queue = DispatchQueue(label: label)
    }

    /// Runs the action now, or sees to it that it runs soon.
    func call() {
        enum Step { case run, wait(DispatchTime), nothing }
        let now = DispatchTime.now()
        let step = state.withLock { state -> Step in
            if state.isScheduled { return .nothing }
            if let last = state.lastRun, now < last + window.dispatchInterval {
                state.isScheduled = true
                return .wait(last + window.dispatchInterval)
            }
            state.lastRun = now
            return .run
        }
        switch step {
        case .run: action()
        case .wait(let deadline): queue.asyncAfter(deadline: deadline) { [weak self] in self?.runScheduled() }
        case .nothing: break
        }
    }

    private func runScheduled() {
        state.withLock { state in
            state.isScheduled = false
            state.lastRun = .now()
        }
        action()
    }
}

extension Duration {
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
