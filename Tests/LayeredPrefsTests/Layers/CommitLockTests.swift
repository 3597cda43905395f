import Glibc
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// The thread that acquired the lock has to release it, so no test suspends in between.
@Suite struct CommitLockTests {
    private let lock = CommitLock()

    @Test func `only one thread holds the lock, and another one marks the stack`() {
        #expect(lock.acquireOrMarkDirty())
        #expect(CommitLock.isHeldByThisThread)
        let isAcquiredElsewhere = onAnotherThread { [lock] in lock.acquireOrMarkDirty() }
        #expect(!isAcquiredElsewhere)
        #expect(lock.release())
        #expect(!CommitLock.isHeldByThisThread)
    }

    @Test func `a mark from before the layers are read needs no other commit`() {
        #expect(lock.acquireOrMarkDirty())
        _ = onAnotherThread { [lock] in lock.acquireOrMarkDirty() }
        lock.clearDirty()
        #expect(!lock.release())
    }

    @Test func `a mark without a commit is not kept`() {
        #expect(!lock.markDirty())
        #expect(lock.acquireOrMarkDirty())
        #expect(lock.markDirty())
        #expect(lock.release())
        #expect(lock.acquireOrMarkDirty())
        #expect(!lock.release())
    }

    @Test func `writers get the lock in the order in which they came`() async throws {
        let order = Recorder<Int>()
        queueWriters(order)
        _ = try await order.wait { $0 == [1, 2, 3] }
    }

    private func queueWriters(_ order: Recorder<Int>) {
        #expect(lock.acquireOrMarkDirty())
        for number in 1...3 {
            TestThread.start { [lock] in
                guard lock.acquire(within: .seconds(60)) else { return }
                order.record(number)
                _ = lock.release()
            }
            // Start the next writer when this one waits.
            while lock.waitingCount < number { sched_yield() }
        }
        #expect(order.elements.isEmpty)
        // The first writer reads the layers, so that no other thread has to.
        _ = lock.markDirty()
        #expect(!lock.release())
    }

    @Test func `a writer that waits too long gives up, and the error names what is running`() {
        let (lock, running, isOver) = (lock, BlockingPromise<Void>(), Latch())
        TestThread.start {
            _ = lock.acquireOrMarkDirty()
            lock.call("the rule over minimum and maximum") {
                running.open(())
                isOver.wait()
            }
            _ = lock.release()
        }
        running.wait()
        #expect(!lock.acquire(within: .milliseconds(1)))
        let error = lock.busy(after: .seconds(10))
        let reload = lock.delayedReload(after: .seconds(10))
        isOver.open()
        #expect(error.code == .busy)
        #expect(error.reason.hasPrefix("not written because another commit"))
        #expect(error.reason.hasSuffix(", running the rule over minimum and maximum; try again"))
        #expect(reload.reason.hasPrefix("not loaded yet because another commit"))
        #expect(lock.waitingCount == 0)
        #expect(lock.acquire(within: .seconds(60)))
        #expect(!lock.release())
    }

    private func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let result = BlockingPromise<Result>()
        TestThread.start { result.open(body()) }
        return result.wait()
    }
}

/// The behavior of a stack while one of its threads commits.
@Suite struct TurnTests {
    private let values = DictionaryPrefsStorage()
    private let ruled = PersistentKey("ruled", defaultValue: 0)

    @Test func `a write by a rule throws, and a reload by it does nothing at once`() throws {
        let errors = Recorder<PrefsError.Code?>()
        let storage = Weak<PrefsStack>()
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.overrides, values) }
        storage.value = stack
        stack.constrain(ruled) { _ in
            storage.value?.reload()
            do {
                try storage.value?.setValue(1, forKey: "other", in: .overrides)
                errors.record(nil)
            } catch {
                errors.record((error as? PrefsError)?.code)
            }
            return nil
        }
        try stack.setValue(5, forKey: "ruled", in: .overrides)
        #expect(errors.elements.allSatisfy { $0 == .unsupported } && !errors.elements.isEmpty)
        #expect(stack.get(ruled) == 5)
        #expect(stack.value(forKey: "other") == nil)
    }

    @Test func `a rule reads the stack as it was before the commit, and other stacks`() throws {
        let other = PrefsStack {
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: ["limit": 7]))
        }
        let read = Recorder<Int>()
        let storage = Weak<PrefsStack>()
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.overrides, values) }
        storage.value = stack
        let key = ruled
        stack.constrain(key) { _ in
            read.record(storage.value?.get(key) ?? -1)
            read.record(other.get(PersistentKey("limit", defaultValue: 0)))
            return nil
        }
        try stack.setValue(5, forKey: "ruled", in: .overrides)
        #expect(Set(read.elements) == [0, 7])
        #expect(stack.get(key) == 5)
    }

    @Test func `a change that is made while another thread commits is committed when that ends`()
        async throws
    {
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.overrides, values) }
        let (arrived, latch) = (Recorder<Bool>(), Latch())
        stack.constrain(ruled) { value in
            if value == 1 {
                arrived.record(true)
                latch.wait()
            }
            return nil
        }
        TestThread.start { [values] in _ = try? values.setValue(1, forKey: "ruled") }
        _ = try await arrived.wait { !$0.isEmpty }
        // This write does not wait for the rule.
        try values.setValue(2, forKey: "other")
        #expect(values.value(forKey: "other") == 2)
        #expect(stack.value(forKey: "other") == nil)
        latch.open()
        #expect(eventually { stack.value(forKey: "other") == 2 && stack.get(ruled) == 1 })
    }

    @Test func `a storage may announce a change under the mutex that its snapshot takes`() {
        let storage = MutexStorage()
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer("own", storage) }
        storage.set(3, forKey: "number")
        #expect(eventually { stack.value(forKey: "number") == 3 })
    }

    @Test func `settled waits for the callbacks of what is committed, and ends when it is cancelled`()
        async throws
    {
        let stack = PrefsStack(diagnostics: .silent) { PrefsLayer(.overrides, values) }
        let (received, latch) = (Recorder<Int>(), Latch())
        let observation = stack.observe(ruled) { change in
            if change.new.value == 2 { latch.wait() }
            received.record(change.new.value)
        }
        try stack.set(ruled, to: 1, in: .overrides)
        await stack.settled()
        #expect(received.elements == [1])
        try stack.set(ruled, to: 2, in: .overrides)
        let waiting = Task { await stack.settled() }
        waiting.cancel()
        await waiting.value
        #expect(received.elements == [1])
        latch.open()
        await stack.settled()
        #expect(received.elements == [1, 2])
        observation.cancel()
    }

    @Test func `what changes while a stack is created is committed`() {
        let storage = ChangingStorage()
        let stack = PrefsStack(coalescing: .immediate) { PrefsLayer("changing", storage) }
        #expect(eventually { stack.value(forKey: "count") == 2 })
    }

    /// Changes on another thread as soon as it is read, and returns when the change may have been committed.
    private final class ChangingStorage: PrefsStorage {
        private let readings = Lock(0)
        private let source = PrefsChangeSource(announcesEveryChange: true)

        var snapshot: PrefsSnapshot {
            let reading = readings.withLock { readings in
                readings += 1
                return readings
            }
            guard reading == 1 else { return PrefsSnapshot(["count": 2]) }
            TestThread.start { [source] in source.advance() }
            usleep(200_000)
            return PrefsSnapshot(["count": 1])
        }

        var changeSource: PrefsChangeSource? { source }
    }

    private final class MutexStorage: PrefsStorage {
        private let content = Lock<[String: PrefsValue]>([:])
        private let source = PrefsChangeSource(announcesEveryChange: true)

        var snapshot: PrefsSnapshot { PrefsSnapshot(content.withLock { $0 }) }

        var changeSource: PrefsChangeSource? { source }

        func set(_ value: PrefsValue, forKey key: String) {
            content.withLock { content in
                content[key] = value
                source.advance()
            }
        }
    }
}
