import Glibc

/// Waits until no process has a file open for writing, a minute at most.
///
/// A child process inherits the descriptors of this one, and has them open until it executes its program. So a file may
/// stay open for a while after a test has written and closed it, if another test starts a program at that time. A watcher
/// then rightly takes the file for unfinished. A read lease is granted only if no writer is left; see `fcntl(2)`.
package func waitForOtherWriters(of path: String) {
    leaseBreaksAreIgnored
    // F_SETLEASE, which the module Glibc lacks.
    let setLease: Int32 = 1024
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return }
    defer { close(file) }
    let end = ContinuousClock.now + .seconds(60)
    while fcntl(file, setLease, Int32(F_RDLCK)) == -1, errno == EAGAIN, .now < end { sched_yield() }
    _ = fcntl(file, setLease, Int32(F_UNLCK))
}

/// Somebody who opens the file while there is a lease breaks it, which the kernel reports with this signal.
private let leaseBreaksAreIgnored: Void = { _ = signal(SIGIO, SIG_IGN) }()
