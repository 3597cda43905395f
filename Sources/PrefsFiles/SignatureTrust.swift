import FileWatching

import PrefsSystem

extension FileSignature {
    /// Returns true if every later change of the content is certain to change the file's signature.
    ///
    /// Many kernels and file systems advance a file's times in steps: two edits of the same size within one
    /// step have the same signature. So a file that was read within the step of its last change must be read
    /// again before the signature can be trusted.
    ///
    /// - Parameter start: The time when reading the file began, in nanoseconds since 1970.
    package func showsChanges(since start: Int64) -> Bool {
        // All times that do not fit are the same number.
        guard [modified, changed].allSatisfy({ $0 != .min && $0 != .max }) else { return false }
        // An edit sets both times to the same value; `Descriptor.stamp` makes ours differ.
        if modified != changed { return true }
        let isInWholeSeconds = changed % 1_000_000_000 == 0
        let (end, isAfterAll) = changed.addingReportingOverflow(isInWholeSeconds ? 3_000_000_000 : 20_000_000)
        return !isAfterAll && end < start
    }

    /// The current time, in the unit of signatures.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }
}
