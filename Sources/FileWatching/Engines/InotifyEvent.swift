import PrefsSystem

/// An event of an inotify engine, independent of the engine's own types.
struct InotifyEvent: Sendable, Hashable {
    /// The kind of an event; the raw values are inotify's.
    struct Mask: OptionSet, Sendable, Hashable {
        let rawValue: UInt32

        static let modified = Mask(rawValue: 0x2)
        static let attributes = Mask(rawValue: 0x4)
        static let closedAfterWriting = Mask(rawValue: 0x8)
        static let movedFrom = Mask(rawValue: 0x40)
        static let movedTo = Mask(rawValue: 0x80)
        static let created = Mask(rawValue: 0x100)
        static let deleted = Mask(rawValue: 0x200)
        static let selfDeleted = Mask(rawValue: 0x400)
        static let selfMoved = Mask(rawValue: 0x800)
        static let unmounted = Mask(rawValue: 0x2000)
        static let overflow = Mask(rawValue: 0x4000)
        static let watchEnded = Mask(rawValue: 0x8000)
        /// The event is about a folder.
        static let ofFolder = Mask(rawValue: 0x4000_0000)

        /// The inode itself was moved, removed or unmounted, or its watch ended.
        static let inodeGone: Mask = [.selfDeleted, .selfMoved, .unmounted, .watchEnded]
        /// A directory's listing changed.
        static let listing: Mask = [.movedFrom, .movedTo, .created, .deleted]
    }

    /// The watch that fired.
    var watch: Int32
    var mask: Mask
    /// The name of the entry in the watched directory; empty if the event is about the watched inode itself.
    var name: RawPath
}
