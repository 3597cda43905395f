import Dispatch

/// Blocks whoever waits until it is opened, once and for all.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    package func open() { semaphore.signal() }
}
