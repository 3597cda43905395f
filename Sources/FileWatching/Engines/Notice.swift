/// One thing an inotify engine reports, in this module's own words.
struct Notice: Sendable, Hashable {
    /// What happened; the raw values are inotify's.
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

        /// The inode itself is no longer where it was.
        static let selfGone: What = [.selfDeleted, .selfMoved, .unmounted, .watchEnded]
        /// A directory's listing is another one.
        static let listing: What = [.movedFrom, .movedTo, .created, .deleted]
    }

    /// The watch that fired.
    var watch: Int32
    var what: What
    /// The entry within the directory watched; empty if the watched inode itself is meant.
    var name: String
}
