/// A source of time: the present moment and delayed calls. Tests pass a source whose time they advance.
package protocol Scheduler: Sendable {
    /// The time since a fixed moment.
    var now: Duration { get }

    /// Calls `body` once after a delay, on a thread of the scheduler.
    func run(after delay: Duration, _ body: @escaping @Sendable () -> Void)
}
