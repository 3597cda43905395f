import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite struct NotificationProgressTests {
    private var progress = NotificationProgress(completed: 1)

    @Test mutating func `a state is announced once`() {
        #expect(!progress.begin(1))
        #expect(progress.begin(2))
        progress.end(2)
        #expect(!progress.begin(2))
    }

    @Test mutating func `an observer that causes a further state announces it, and not its own again`() {
        #expect(progress.begin(2))
        #expect(!progress.begin(2))
        #expect(progress.begin(3))
        progress.end(3)
        progress.end(2)
        #expect(!progress.begin(3))
    }

    @Test func `a thread does not wait for another one that is announcing`() async {
        let progress = Lock(NotificationProgress())
        #expect(progress.withLock { $0.begin(1) })
        let isBegun = await withCheckedContinuation { continuation in
            TestThread.start { continuation.resume(returning: progress.withLock { $0.begin(1) }) }
        }
        #expect(isBegun)
    }
}
