import PrefsSystem

/// The files and folders that a process has just created. Their contents may be incomplete. Pure: time is passed
/// in.
///
/// `open(2)` with `O_CREAT` reports IN_CREATE, and later IN_CLOSE_WRITE. Both reach the watch on the folder, so
/// no file is created and closed unnoticed. No close follows if `linkat(2)` has given a file its name, or
/// `mkdir(2)` has created a folder. Such an entry counts as new only for some time.
struct NewEntries: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Entry: Hashable {
        let watch: Int32
        let name: RawPath
    }

    private struct Birth {
        let time: Instant
        let isFolder: Bool
    }

    /// How long a file counts as new if nobody closes it.
    private static let lifetime = FileSettling.standard.limit
    /// How long a folder counts as new. Nobody closes a folder.
    private static let folderLifetime = FileSettling.standard.longQuiet
    /// The number of entries that are kept without a search for old ones.
    private static let capacity = 256

    private var births: [Entry: Birth] = [:]
    /// The number of entries that causes the next search for old ones.
    private var limit = NewEntries.capacity

    mutating func add(_ name: RawPath, in watch: Int32, isFolder: Bool, at now: Instant) {
        if births.count >= limit {
            births = births.filter { Self.isNew($0.value, at: now) }
            limit = max(Self.capacity, 2 * births.count)
        }
        births[Entry(watch: watch, name: name)] = Birth(time: now, isFolder: isFolder)
    }

    /// Forgets an entry that has been closed, removed, renamed or replaced. Returns true if it was a new file.
    @discardableResult
    mutating func remove(_ name: RawPath, in watch: Int32) -> Bool {
        if births.isEmpty { return false }
        return births.removeValue(forKey: Entry(watch: watch, name: name)).map { !$0.isFolder } ?? false
    }

    /// Forgets all entries, because events have been lost.
    mutating func removeAll() { births = [:] }

    /// Returns true if an entry has been created and has not been closed since.
    func contains(_ name: RawPath, in watch: Int32, at now: Instant) -> Bool {
        if births.isEmpty { return false }
        return births[Entry(watch: watch, name: name)].map { Self.isNew($0, at: now) } ?? false
    }

    private static func isNew(_ birth: Birth, at now: Instant) -> Bool {
        now < birth.time + (birth.isFolder ? folderLifetime : lifetime)
    }
}
