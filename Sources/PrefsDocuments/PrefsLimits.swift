/// Limits on the resources that reading a file may take.
///
/// A file that exceeds a limit is rejected with ``PrefsError/Code/tooLarge``, and none of its contents are
/// used. The standard limits are far above what preferences need and far below what harms a daemon.
public struct PrefsLimits: Sendable, Hashable {
    /// The maximum file size in bytes; 64 MiB. Never more than ``largestFileSize``.
    public var fileSize: Int
    /// The maximum nesting depth of dictionaries and arrays; 64. Parsing needs no stack for it, but decoding,
    /// comparing, writing or releasing a value takes up to 1.5 KiB per level: a thread with a stack of 128
    /// KiB can do all of that at the standard limit.
    public var depth: Int
    /// The maximum number of values in one file, including dictionaries and arrays; 2,000,000. Each takes 32
    /// bytes while the file is in use.
    public var values: Int

    /// Creates limits.
    public init(fileSize: Int = 64 << 20, depth: Int = 64, values: Int = 2_000_000) {
        self.fileSize = fileSize
        self.depth = depth
        self.values = values
    }

    /// Limits for a daemon that reads files which other users write.
    public static let standard = PrefsLimits()

    /// The absolute maximum file size, whatever ``fileSize`` says: 1 GiB, because the parsers count bytes in
    /// 32 bits.
    public static let largestFileSize = 1 << 30

    package var effectiveFileSize: Int { min(fileSize, Self.largestFileSize) }
}
