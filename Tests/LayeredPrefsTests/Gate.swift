import Dispatch

/// Blocks whoever waits until it is opened, once and for all.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}
