import FoundationEssentials
import Glibc

/// The time of the latest edit. The demo's editor writes it, before its system call, to the file that
/// `MYD_EDIT_CLOCK` names; without that variable, nothing is measured.
enum EditClock {
    private static let descriptor: CInt? = ProcessInfo.processInfo.environment["MYD_EDIT_CLOCK"].flatMap {
        path in
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }

    static var microsecondsSinceEdit: Int? {
        let now = nanoseconds
        var stamp: Int64 = 0
        guard let descriptor, pread(descriptor, &stamp, 8, 0) == 8, stamp > 0 else { return nil }
        return Int((now - stamp) / 1000)
    }

    static func stamp() {
        var now = nanoseconds
        if let descriptor { pwrite(descriptor, &now, 8, 0) }
    }

    private static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
