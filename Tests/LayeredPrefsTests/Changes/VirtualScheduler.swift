import PrefsSystem

@testable import LayeredPrefs

/// A scheduler whose time a test advances. The advancing thread makes the delayed calls.
final class VirtualScheduler: Scheduler {
    private struct State {
        var now = Duration.zero
        var calls: [(time: Duration, body: @Sendable () -> Void)] = []
    }

    private let state = Lock(State())

    var now: Duration { state.withLock { $0.now } }

    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.calls.append(($0.now + delay, body)) }
    }

    /// Advances the time to a moment and makes the calls that are due until then, in order.
    func advance(to moment: Duration) {
        while let body = next(until: moment) { body() }
        state.withLock { $0.now = moment }
    }

    private func next(until moment: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let due = state.calls.indices.filter { state.calls[$0].time <= moment }
            guard let first = due.min(by: { state.calls[$0].time < state.calls[$1].time }) else { return nil }
            state.now = state.calls[first].time
            return state.calls.remove(at: first).body
        }
    }
}
