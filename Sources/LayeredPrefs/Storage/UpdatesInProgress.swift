import PrefsSystem
import Synchronization

/// The read-modify-write updates whose closures are running.
///
/// The closures are the program's code, so no other writer waits for them. An update during which another
/// thread has written is outdated, and its closure is called again; what its own closure writes does not
/// count.
final class UpdatesInProgress: Sendable {
    private struct Update {
        let id: UInt64
        let thread: UInt
        var isOutdated = false
    }

    private struct State {
        var updates: [Update] = []
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())
    /// The number of updates, so that a write while there is none takes no mutex. Relaxed ordering is enough:
    /// an update begins before it reads the contents, and a write is noted after it has taken their mutex.
    private let count = Atomic<Int>(0)

    /// Begins an update of the calling thread; to be called before it reads the contents.
    func begin() -> UInt64 {
        count.add(1, ordering: .relaxed)
        return state.withLock { state in
            state.lastID += 1
            state.updates.append(Update(id: state.lastID, thread: BackgroundThread.current))
            return state.lastID
        }
    }

    func end(_ id: UInt64) {
        state.withLock { $0.updates.removeAll { $0.id == id } }
        count.subtract(1, ordering: .relaxed)
    }

    /// Notes that the calling thread writes; to be called with the contents' mutex held.
    func noteWrite() {
        if count.load(ordering: .relaxed) == 0 { return }
        let thread = BackgroundThread.current
        state.withLock { state in
            for index in state.updates.indices where state.updates[index].thread != thread {
                state.updates[index].isOutdated = true
            }
        }
    }

    /// Returns true if another thread has written since an update began.
    func isOutdated(_ id: UInt64) -> Bool {
        state.withLock { state in state.updates.contains { $0.id == id && $0.isOutdated } }
    }
}
