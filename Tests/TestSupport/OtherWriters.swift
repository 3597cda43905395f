import Glibc

/// Waits until no process has a file open for writing, at most a minute.
///
/// A child process inherits the descriptors of this process, and keeps them open until it executes its
/// program. So a file may stay open for a while after a test has written and closed it, if another test
/// starts a program at that time. A watcher then rightly considers the file unfinished. The kernel grants a
/// read lease only if no writer is left; see `fcntl(2)`.
package func waitForOtherWriters(of path: String) {
    leaseBreaksAreIgnored
    // `F_SETLEASE` is missing from the module Glibc.
    let setLease: Int32 = 1024
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return }
    defer { close(file) }
    let end = ContinuousClock.now + .seconds(60)
    while fcntl(file, setLease, Int32(F_RDLCK)) == -1, errno == EAGAIN, .now < end { sched_yield() }
    _ = fcntl(file, setLease, Int32(F_UNLCK))
}

/// A process that opens the file during the lease breaks it, and the kernel reports that with this signal.
private let leaseBreaksAreIgnored: Void = { _ = signal(SIGIO, SIG_IGN) }()
