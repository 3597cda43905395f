/// Limits on the resources that reading a file may take.
///
/// A file that exceeds a limit is rejected with ``PrefsError/Code/tooLarge``, and none of its contents are
/// used. The standard limits are far above what preferences need and far below what harms a daemon. Within
/// them, every operation takes time and memory in proportion to the size of the file.
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
    /// The maximum length of a key together with the keys of the dictionaries around it, in bytes of UTF-8
    /// however the file spells them; 4,096. Every change below a key names its whole path, so an unlimited key
    /// would cost its length for each value below it.
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

    /// Limits for a daemon that reads files which other users write.
    public static let standard = PrefsLimits()

    package var effectiveFileSize: Int { min(fileSize, Self.largestFileSize) }
}

extension PrefsLimits {
    /// The absolute maximum file size, whatever ``fileSize`` says: 1 GiB, because the parsers count bytes in
    /// 32 bits.
    public static let largestFileSize = 1 << 30

    /// The maximum number of components of a dotted name: 64. A name with more has only its literal spelling,
    /// as has one with an empty component.
    public static let pathComponents = 64

    /// The maximum number of combining marks in a row, in keys and strings: 30, as in Unicode's stream-safe
    /// text format (UAX #15). Comparing or hashing a `String` takes time quadratic in the length of such a
    /// run.
    public static let combiningMarks = 30

    /// The maximum number of problems of one kind that are reported for one version of a file: 20. One more
    /// report counts the rest.
    public static let reports = 20

    /// The maximum size of the keys, strings and data of a binary property list, counted at every reference
    /// to them: 16 times the size of the file, or 1 MiB if that is more. A text file spells each of them out;
    /// a binary file may refer to one string thousands of times.
    static func unfoldedSize(of file: Int) -> Int { max(1 << 20, file * 16) }

    /// The maximum memory for the values of a binary property list, counted at every reference to them: 16
    /// times the size of the file, or 4 MiB if that is more. A text file takes at least two bytes for each
    /// value; a reference can be a single one.
    static func valuesSize(of file: Int) -> Int { max(4 << 20, file * 16) }

    /// The number of values to make space for before a text of some size is parsed.
    ///
    /// For a large file these are as many as fit, because an array that grows is in memory twice, while memory
    /// that has not been touched takes none.
    func expectedValues(in size: Int) -> Int { min(size < 1 << 20 ? size / 48 : size / 2, values) + 1 }
}
