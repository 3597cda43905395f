#if Etcd
    import Dispatch
    import PrefsSystem

    /// Wakes the threads that wait until something has become true.
    final class Announcement: Sendable {
        private struct State {
            var waiting: [UInt64: DispatchSemaphore] = [:]
            var nextID: UInt64 = 0
        }

        private let state = Lock(State())

        /// Makes the waiting threads check their conditions again.
        func post() {
            let waiting = state.withLock { Array($0.waiting.values) }
            for semaphore in waiting { semaphore.signal() }
        }

        /// Waits until a condition holds, which is checked after every ``post()``; returns false if the deadline
        /// passes first.
        func wait(until deadline: ContinuousClock.Instant, _ condition: () -> Bool) -> Bool {
            let semaphore = DispatchSemaphore(value: 0)
            let id = state.withLock { state in
                state.nextID += 1
                state.waiting[state.nextID] = semaphore
                return state.nextID
            }
            defer { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }
            while !condition() {
                let rest = ContinuousClock.now.duration(to: deadline)
                guard rest > .zero else { return false }
                let milliseconds = Int(clamping: min(rest.milliseconds, 3_600_000) + 1)
                _ = semaphore.wait(timeout: .now() + .milliseconds(milliseconds))
            }
            return true
        }
    }
#endif
