/// Limits on the resources for reading one file.
///
/// A file that exceeds a limit is rejected with ``PrefsError/Code/tooLarge``, and none of its contents are used. The
/// standard limits are far above the needs of preferences, and far below anything that harms a daemon. Within the
/// limits, every operation takes time and memory in proportion to the size of the file.
public struct PrefsLimits: Sendable, Hashable {
    /// The maximum file size in bytes; 64 MiB by default. It is never more than ``largestFileSize``.
    public var fileSize: Int
    /// The maximum nesting depth of dictionaries and arrays; 64 by default.
    ///
    /// Parsing needs no stack for it. Decoding, comparing, writing or releasing a value takes up to 1.5 KiB of stack
    /// per level. At the default limit, a thread with a stack of 128 KiB can do all of these.
    public var depth: Int
    /// The maximum number of values in one file, including dictionaries and arrays; 2,000,000 by default. Each value
    /// takes 32 bytes while the file is in use.
    public var values: Int
    /// The maximum length of a key together with the keys of the dictionaries around it; 4,096 by default.
    ///
    /// The unit is bytes of UTF-8, however the file spells the keys. The limit exists because every change below a
    /// key names the whole path: without it, a long key would cost its length once for each value below it.
    public var keyLength: Int

    /// Creates limits.
    public init(
        fileSize: Int = 64 << 20, depth: Int = 64, values: Int = 2_000_000, keyLength: Int = 4096
    ) {
        self.fileSize = fileSize
        self.depth = depth
        self.values = values
        self.keyLength = keyLength
    }

    /// Limits that suit a daemon that reads files written by other users.
    public static let standard = PrefsLimits()

    package var effectiveFileSize: Int { min(fileSize, Self.largestFileSize) }
}

extension PrefsLimits {
    /// The absolute maximum of ``fileSize``: 1 GiB, because the parsers count bytes in 32 bits.
    public static let largestFileSize = 1 << 30

    /// The maximum number of components of a dotted name: 64. A name with more components, or with an empty
    /// component, is a literal key and not a path.
    public static let pathComponents = 64

    /// The maximum number of combining marks in a row, in keys and strings: 30, as in Unicode's stream-safe text format
    /// (UAX #15). Comparing or hashing a `String` takes quadratic time in the length of such a run.
    public static let combiningMarks = 30

    /// The maximum number of reported problems of one kind in one revision of a file: 20. One more report counts the
    /// rest.
    public static let reports = 20

    /// The maximum size of the keys, strings and data of a binary property list, counted at every reference
    /// to them: 16 times the size of the file, or 1 MiB if that is more. A text file spells each of them out;
    /// a binary file may refer to one string thousands of times.
    static func unfoldedSize(of file: Int) -> Int { max(1 << 20, file * 16) }

    /// The maximum memory for the values of a binary property list, counted at every reference to them: 16
    /// times the size of the file, or 4 MiB if that is more. A text file takes at least two bytes for each
    /// value; a reference can be a single one.
    static func valuesSize(of file: Int) -> Int { max(4 << 20, file * 16) }

    /// The number of values to reserve space for before a text of `size` bytes is parsed.
    ///
    /// For a large file, it is the largest possible number: an array that grows is in memory twice, while
    /// untouched memory costs nothing.
    func expectedValues(in size: Int) -> Int { min(size < 1 << 20 ? size / 48 : size / 2, values) + 1 }
}
