/// An event of an inotify engine, independent of the engine's own types.
struct Notice: Sendable, Hashable {
    /// The kind of an event; the raw values are inotify's.
    struct What: OptionSet, Sendable, Hashable {
        let rawValue: UInt32

        static let modified = What(rawValue: 0x2)
        static let attributes = What(rawValue: 0x4)
        static let closedAfterWriting = What(rawValue: 0x8)
        static let movedFrom = What(rawValue: 0x40)
        static let movedTo = What(rawValue: 0x80)
        static let created = What(rawValue: 0x100)
        static let deleted = What(rawValue: 0x200)
        static let selfDeleted = What(rawValue: 0x400)
        static let selfMoved = What(rawValue: 0x800)
        static let unmounted = What(rawValue: 0x2000)
        static let overflow = What(rawValue: 0x4000)
        static let watchEnded = What(rawValue: 0x8000)

        /// The inode itself was moved, removed or unmounted, or its watch ended.
        static let selfGone: What = [.selfDeleted, .selfMoved, .unmounted, .watchEnded]
        /// A directory's listing changed.
        static let listing: What = [.movedFrom, .movedTo, .created, .deleted]
    }

    /// The watch that fired.
    var watch: Int32
    var what: What
    /// The name of the entry in the watched directory; empty if the event is about the watched inode itself.
    var name: String
}
