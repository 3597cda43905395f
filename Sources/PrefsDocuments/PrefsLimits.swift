/// How much a file may ask of its reader.
///
/// A file beyond a limit is refused with ``PrefsError/Code/tooLarge``; nothing of it is used. The standard
/// limits lie far above what preferences need and far below what hurts a daemon.
public struct PrefsLimits: Sendable, Hashable {
    /// The largest file, in bytes; 64 MiB. Never more than ``largestFileSize``.
    public var fileSize: Int
    /// How deep dictionaries and arrays may nest; 64. Parsing needs no stack for it, but whoever decodes,
    /// compares, writes or releases a value needs up to 1.5 KiB a level: a thread with a stack of 128 KiB can do
    /// all of that at the standard limit.
    public var depth: Int
    /// How many values, dictionaries and arrays included, one file may hold; 2,000,000. Each occupies 32
    /// bytes while the file is in use.
    public var values: Int

    public init(fileSize: Int = 64 << 20, depth: Int = 64, values: Int = 2_000_000) {
        self.fileSize = fileSize
        self.depth = depth
        self.values = values
    }

    /// Limits for a daemon that reads files others write.
    public static let standard = PrefsLimits()

    /// The parsers count bytes in 32 bits: 1 GiB, whatever ``fileSize`` says.
    public static let largestFileSize = 1 << 30

    package var effectiveFileSize: Int { min(fileSize, Self.largestFileSize) }
}
