import PrefsSystem
import Testing

@testable import FileWatching

struct SubscriptionTests {
    /// A generic type wraps a closure that it stores. If every event wrapped it again, each call would be
    /// nested deeper than the previous one, until the stack overflows.
    @Test func `the thousandth event is delivered as directly as the first`() {
        let depths = Lock<[UInt]>([])
        let subscription = Subscription(
            path: "/f", settling: .none, safetyPoll: nil, watcher: WatcherToken(),
            handler: { _ in
                var local = 0
                let depth = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
                depths.withLock { $0.append(depth) }
            })
        for _ in 0..<1000 {
            subscription.deliver(subscription.event(.inotify, nil))
            subscription.endRound()
        }
        let seen = depths.withLock { $0 }
        #expect(seen.count == 1000)
        #expect(seen.first == seen.last)
    }
}
