import FileWatching
import PrefsSystem

/// The watches of a set of paths that may change with each reading.
final class FileWatches: Sendable {
    private let watches = Lock<[String: FileWatch]>([:])

    subscript(path: String) -> FileWatch? { watches.withLock { $0[path] } }

    /// Watches exactly some paths: begins the watches that are missing, and ends the others.
    ///
    /// Call it without holding a mutex: watching waits for the thread that leads the event loop.
    ///
    /// - Returns: True if a watch was begun. The file must then be read once more: it may have been edited
    ///   before.
    func follow(_ paths: Set<String>, _ watch: (String) -> FileWatch) -> Bool {
        let (missing, gone) = watches.withLock { watches -> (Set<String>, [FileWatch]) in
            let gone = watches.keys.filter { !paths.contains($0) }
            return (paths.subtracting(watches.keys), gone.compactMap { watches.removeValue(forKey: $0) })
        }
        for watch in gone { watch.cancel() }
        for path in missing {
            let watch = watch(path)
            let surplus = watches.withLock { $0.updateValue(watch, forKey: path) }
            surplus?.cancel()
        }
        return !missing.isEmpty
    }
}
