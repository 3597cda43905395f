import PrefsDocuments
import PrefsSystem
import Dispatch
import Foundation

/// Runs a closure on a thread with a stack of 128 KiB, which some runtimes give their threads.
enum SmallStack {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let result = Result<Value>()
        let thread = Thread {
            let value = body()
            result.value.withLock { $0 = value }
            result.isThere.signal()
        }
        thread.stackSize = 128 << 10
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
