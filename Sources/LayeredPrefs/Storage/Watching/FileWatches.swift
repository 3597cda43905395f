import FileWatching
import PrefsSystem

/// The watches of a set of paths. Each reading may change the set.
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

    /// Watches exactly some paths: begins the missing watches and ends the others.
    ///
    /// Call it without holding a mutex, because it waits for the thread that leads the event loop.
    ///
    /// - Parameter paths: Returns the paths. It is called with the mutex held, so that the later of two calls
    ///   has the newer paths.
    /// - Returns: True if a watch was begun. The file must then be read once more, because it may have been
    ///   edited before.
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
