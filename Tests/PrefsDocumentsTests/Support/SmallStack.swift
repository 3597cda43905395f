import PrefsDocuments
import PrefsSystem
import Dispatch
import Foundation

/// Runs a closure on a thread with a stack of 128 KiB, as some runtimes give their threads.
enum SmallStack {
    #if TSAN
        /// ThreadSanitizer keeps its state of a thread on the stack, and makes frames larger.
        private static let size = 1 << 20
    #else
        private static let size = 128 << 10
    #endif

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let result = Result<Value>()
        let thread = Thread {
            let value = body()
            result.value.withLock { $0 = value }
            result.isThere.signal()
        }
        thread.stackSize = size
        thread.start()
        result.isThere.wait()
        guard let value = result.value.withLock({ $0 }) else {
            preconditionFailure("the thread returned no value")
        }
        return value
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Lock<Value?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }
}
