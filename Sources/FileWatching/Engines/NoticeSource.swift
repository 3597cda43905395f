import PrefsSystem
/// An inotify instance, however it is reached. The two conformers differ in nothing that shows above.
///
/// A hub owns one and calls it under its lock; polling is what a hub does without any.
protocol NoticeSource: Sendable {
    /// Readable when there are notices.
    var descriptor: Int32 { get }
    /// Whether it wastes so much that it should be closed and opened anew.
    var isWornOut: Bool { get }
    /// Watches a directory for changes of its entries, or a file for changes of its content, without
    /// following a link. Watching one inode again gives the same number.
    func add(_ path: String, as target: WatchTarget) throws(Errno) -> Int32
    /// Ends a watch; one that ended by itself is none to it.
    func remove(_ watch: Int32)
    /// Hands over what has been reported, without waiting.
    func drain(into notices: inout [Notice])
    /// Gives everything back; called once.
    func close()
}

/// What a watch is put on.
enum WatchTarget: Sendable {
    case directory, file
}

/// Why a hub cannot use its own engine at all, so that another one should be taken.
struct EngineRefusal: Error, Hashable {
    let reason: String
}
