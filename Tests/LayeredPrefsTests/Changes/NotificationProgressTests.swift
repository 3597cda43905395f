import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite struct NotificationProgressTests {
    private var progress = NotificationProgress(completed: 1)

    @Test mutating func `a state is announced once`() {
        var isFirst = [progress.begin(1), progress.begin(2)]
        progress.end(2)
        isFirst.append(progress.begin(2))
        #expect(isFirst == [false, true, false])
    }

    @Test mutating func `an observer that causes a further state announces it, and not its own again`() {
        var isFirst = [progress.begin(2), progress.begin(2), progress.begin(3)]
        progress.end(3)
        progress.end(2)
        isFirst.append(progress.begin(3))
        #expect(isFirst == [true, false, true, false])
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
