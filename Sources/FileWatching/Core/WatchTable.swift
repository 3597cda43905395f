import PrefsSystem

/// The paths that use each inotify watch. Pure bookkeeping: it touches no descriptor.
///
/// An event reaches its paths through two dictionary lookups, however many paths are watched.
struct WatchTable: Sendable {
    private struct Users: Sendable {
        /// Paths that looked up a name in the watched directory, by name.
        var names: [RawPath: Set<Int>] = [:]
        /// Paths that lead to the watched inode.
        var ends: Set<Int> = []

        var isEmpty: Bool { names.isEmpty && ends.isEmpty }
    }

    private var watches: [Int32: Users] = [:]
    /// Watches that no path uses any more, and that the engine still has.
    private(set) var idle: Set<Int32> = []

    mutating func use(_ watch: Int32, name: RawPath, by path: Int) {
        idle.remove(watch)
        watches[watch, default: Users()].names[name, default: []].insert(path)
    }

    mutating func use(_ watch: Int32, asEndBy path: Int) {
        idle.remove(watch)
        watches[watch, default: Users()].ends.insert(path)
    }

    mutating func release(_ watch: Int32, name: RawPath, by path: Int) {
        guard watches[watch]?.names[name]?.remove(path) != nil else { return }
        if watches[watch]?.names[name]?.isEmpty == true { watches[watch]?.names[name] = nil }
        markIdleIfUnused(watch)
    }

    mutating func release(_ watch: Int32, asEndBy path: Int) {
        guard watches[watch]?.ends.remove(path) != nil else { return }
        markIdleIfUnused(watch)
    }

    /// Forgets a watch that the kernel ended: its number is never used again.
    mutating func forget(_ watch: Int32) {
        watches[watch] = nil
        idle.remove(watch)
    }

    /// Forgets every watch, because the engine that held them is closed.
    mutating func forgetAll() {
        watches = [:]
        idle = []
    }

    /// Takes the unused watches, which the caller removes from the engine.
    mutating func takeIdle() -> Set<Int32> {
        defer { idle = [] }
        return idle
    }

    func paths(lookingUp name: RawPath, in watch: Int32) -> Set<Int> {
        watches[watch]?.names[name] ?? []
    }

    func paths(endingAt watch: Int32) -> Set<Int> {
        watches[watch]?.ends ?? []
    }

    func paths(through watch: Int32) -> Set<Int> {
        guard let names = watches[watch]?.names, !names.isEmpty else { return [] }
        return names.values.reduce(into: []) { $0.formUnion($1) }
    }

    private mutating func markIdleIfUnused(_ watch: Int32) {
        guard watches[watch]?.isEmpty == true else { return }
        watches[watch] = nil
        idle.insert(watch)
    }
}
