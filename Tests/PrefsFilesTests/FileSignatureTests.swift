import FileWatching
import PrefsSystem
import Testing

@testable import PrefsFiles

/// The signatures of a file that reveal every later edit.
struct FileSignatureTests {
    private static let second: Int64 = 1_000_000_000

    @Test(
        arguments: [
            // Changed long ago, and just now.
            (500, 500, 100_000_500, true), (500, 500, 5_000_500, false), (500, 500, 500, false),
            // The file system's clock is ahead.
            (500_000_500, 500_000_500, 100, false),
            // The modification time was set explicitly, as our writers do: an edit shows.
            (499, 500, 500, true), (501, 500, 500, true),
            // Whole seconds: a file system that records no fractions.
            (second, second, second + 100_000_000, false), (second, second, 5 * second, true),
            // Times that do not fit: any two of them are the same number.
            (.max, .max, 5 * second, false), (.min, .min, 5 * second, false), (500, .max, 5 * second, false),
            (.max, 500, 5 * second, false), (.max - 1, .max - 1, .min, false),
            (.max - 1, .max - 1, .max, false),
            (.min + 1, .min + 1, .max, true), (.min + 1, .min + 1, .min, false),
        ] as [(Int64, Int64, Int64, Bool)])
    func `trusts a signature after its step`(modified: Int64, changed: Int64, start: Int64, expected: Bool) {
        var signature = FileSignature(fileDescriptor: -1)
        (signature.modified, signature.changed) = (modified, changed)
        #expect(signature.showsChanges(since: start) == expected)
    }

    @Test(arguments: [
        (9_498_000_000, 5, Int64.max), (Int.max, 999_999_999, .max), (Int.min, 0, .min),
        (-9_300_000_000, 0, .min),
        (9_223_372_036, 854_775_807, .max), (9_223_372_036, 854_775_806, .max - 1), (-1, 5, -999_999_995),
    ])
    func `a time that does not fit is the nearest one, and is not trusted`(
        seconds: Int, nanoseconds: Int, expected: Int64
    ) {
        var status = stat()
        status.st_ctim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        status.st_mtim = status.st_ctim
        let signature = FileSignature(status)
        #expect(signature.changed == expected && signature.modified == expected)
        let isTrusted = signature.showsChanges(since: FileSignature.now)
        #expect(isTrusted == (expected == -999_999_995))
    }
}
