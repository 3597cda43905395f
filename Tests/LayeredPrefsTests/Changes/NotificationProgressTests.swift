import PrefsSystem
import Testing

@testable import LayeredPrefs

@Suite final class NotificationProgressTests {
    private var progress = NotificationProgress(completed: 1)

    private func begin(_ state: UInt64) -> Bool { progress.begin(state) }

    private func end(_ state: UInt64) { progress.end(state) }

    @Test func `a state is announced once`() {
        #expect(!begin(1))
        #expect(begin(2))
        end(2)
        #expect(!begin(2))
    }

    @Test func `an observer that causes a further state announces it, and not its own again`() {
        #expect(begin(2))
        #expect(!begin(2))
        #expect(begin(3))
        end(3)
        end(2)
        #expect(!begin(3))
    }

    @Test func `a thread does not wait for another one that is announcing`() async {
        let progress = Shared()
        let isFirstBegun = progress.begin(1)
        let isSecondBegun = await withCheckedContinuation { continuation in
            TestThread.start { continuation.resume(returning: progress.begin(1)) }
        }
        #expect(isFirstBegun)
        #expect(isSecondBegun)
    }

    private final class Shared: Sendable {
        private let progress = Lock(NotificationProgress())

        func begin(_ state: UInt64) -> Bool { progress.withLock { $0.begin(state) } }
    }
}
