import Dispatch
import Foundation

/// Calls a function on several threads at the same time, with the numbers from 0 on. Returns when all calls
/// have returned.
///
/// Each call has its own thread. `DispatchQueue.concurrentPerform` makes one call after the other while other
/// tests use all threads of its pool.
package func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<count {
        Thread.detachNewThread {
            body(number)
            ended.signal()
        }
    }
    for _ in 0..<count { ended.wait() }
}
