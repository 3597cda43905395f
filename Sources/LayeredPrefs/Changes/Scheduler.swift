import Dispatch
import PrefsSystem

/// A source of time: the present moment and delayed calls. Tests pass one whose time they advance themselves.
protocol Scheduler: Sendable {
    /// The time since a fixed moment.
    var now: Duration { get }

    /// Calls `body` once after a delay, on a thread of the scheduler.
    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's time; delayed calls are made on a dispatch queue.
struct DispatchScheduler: Scheduler {
    let queue: DispatchQueue

    var now: Duration { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.clamped.nanoseconds)), execute: body)
    }
}
