import FileWatching
import PrefsSystem

/// The watches of a set of paths that may change with each reading.
final class FileWatches: Sendable {
    private struct State {
        var watches: [String: FileWatch] = [:]
        /// The paths to watch.
        var wanted: Set<String> = []
    }

    private let state = Lock(State())

    /// All watches by path.
    var all: [String: FileWatch] { state.withLock { $0.watches } }

    subscript(path: String) -> FileWatch? { state.withLock { $0.watches[path] } }

    /// Watches exactly some paths: begins the watches that are missing, and ends the others.
    ///
    /// Call it without holding a mutex: watching waits for the thread that leads the event loop.
    ///
    /// - Parameter paths: Called with the mutex held, so that of two threads the later one has the newer paths.
    /// - Returns: True if a watch was begun. The file must then be read once more: it may have been edited
    ///   before.
    func follow(_ paths: () -> Set<String>, _ watch: (String) -> FileWatch) -> Bool {
        let (missing, gone) = state.withLock { state -> (Set<String>, [FileWatch]) in
            state.wanted = paths()
            let gone = state.watches.keys.filter { !state.wanted.contains($0) }
            return (
                state.wanted.subtracting(state.watches.keys),
                gone.compactMap { state.watches.removeValue(forKey: $0) }
            )
        }
        for watch in gone { watch.cancel() }
        for path in missing {
            let watch = watch(path)
            let surplus = state.withLock { state in
                state.wanted.contains(path) ? state.watches.updateValue(watch, forKey: path) : watch
            }
            surplus?.cancel()
        }
        return !missing.isEmpty
    }
}
