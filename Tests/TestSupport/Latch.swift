import Dispatch

/// A gate that blocks threads until it is opened. It stays open.
package final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    package func open() { semaphore.signal() }
}
