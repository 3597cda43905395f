import FileWatching
import Floor
import Synchronization

/// Somebody who is told of a replaced file and reads it.
protocol Contestant {
    func arm()
    func disarm()
    /// When `number` had been read, or 0.
    func seen(_ number: Int64) -> Int64
}

struct FloorContestant: Contestant {
    let directory: String
    let name: String

    func arm() { floor_arm(directory, name) }
    func disarm() { floor_disarm() }
    func seen(_ number: Int64) -> Int64 { floor_seen(number) }
}

final class WatcherContestant: Contestant {
    private let paths: [String]
    private let watcher: FileWatcher
    private var watches: [FileWatch] = []
    private let last = LastSeen()

    /// Watches `paths`, the first of which is the one that is replaced.
    init(_ engine: FileWatcherEngine, _ paths: [String]) {
        watcher = FileWatcher(engine: engine)
        self.paths = paths
    }

    var engine: FileWatcherEngine { watcher.status.engine }

    func arm() {
        let last = last
        watches = paths.map { path in
            watcher.watch(path) { event in last.note(floor_read(event.path)) }
        }
    }

    func disarm() {
        watches = []
    }

    func seen(_ number: Int64) -> Int64 { last.seen(number) }
}

/// What a callback saw, for another thread to look at.
private final class LastSeen: Sendable {
    private let number = Atomic<Int64>(0)
    private let time = Atomic<Int64>(0)

    func note(_ number: Int64) {
        time.store(floor_now(), ordering: .relaxed)
        self.number.store(number, ordering: .releasing)
    }

    func seen(_ number: Int64) -> Int64 {
        self.number.load(ordering: .acquiring) == number ? time.load(ordering: .relaxed) : 0
    }
}
