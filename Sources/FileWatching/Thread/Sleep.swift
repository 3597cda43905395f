#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How long a thread sleeps, and what wakes it earlier.
struct Sleep: Sendable {
    var descriptors: [Int32]
    /// nil: for ever.
    var until: ContinuousClock.Instant?

    /// Sleeps, and returns the descriptors that are readable.
    func callAsFunction() -> [Int32] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
        return entries.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Rounded up: a thread that gets up too early has nothing to do.
    private var milliseconds: Int32 {
        guard let until else { return -1 }
        let rest = max(.zero, until - .now)
        let (seconds, attoseconds) = rest.components
        let total = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: total)
    }
}
