import FileWatching

import PrefsSystem

extension FileSignature {
    /// Whether every later change of the content will give the file another signature.
    ///
    /// Many kernels and file systems count a file's times in steps: two edits of one size within a step look
    /// like one. So what was read within the step of the last change must be read again to be known.
    ///
    /// - Parameter start: When reading the file began, in nanoseconds since 1970.
    package func showsChanges(since start: Int64) -> Bool {
        // An edit sets both to one time; ours are set apart by `TemporaryFile.stamp`.
        if modified != changed { return true }
        let isInWholeSeconds = changed % 1_000_000_000 == 0
        return start - changed > (isInWholeSeconds ? 3_000_000_000 : 20_000_000)
    }

    /// This moment, as signatures count it.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
