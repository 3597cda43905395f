import PrefsSystem

extension Descriptor {
    /// Reads the next bytes. Returns none at the end of the file.
    func read(atMost size: Int) throws(Errno) -> [UInt8] {
        let number = number
        var outcome = Result<Int, Errno>.success(0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            outcome = unsafe readBytes(number, into: buffer)
            // The kernel wrote exactly as many bytes as it reports, and none on failure.
            count = (try? outcome.get()) ?? 0
        }
        _ = try outcome.get()
        return bytes
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws(Errno) {
        let number = number
        try WithoutSizeSignal.run { () throws(Errno) in
            try writeAll(bytes, to: number)
        }
    }

    /// Gives the file the owner and the group of its folder. Does not call `fchown(2)` if the file has them
    /// already: systemd units often forbid that call.
    func takeOwner(of folder: stat) throws(Errno) {
        let own = try status()
        if own.st_uid == folder.st_uid, own.st_gid == folder.st_gid { return }
        guard fchown(number, folder.st_uid, folder.st_gid) == 0 else { throw .last }
    }

    /// Sets the file's times to the current time.
    ///
    /// The kernel's own timestamps may be as coarse as ten milliseconds, and the kernel reuses inode numbers. So
    /// without this call, two versions of the same size, written within that time, could have the same signature.
    /// A writer that trusts its cached contents would then undo another writer's change.
    func stamp() throws(Errno) {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        guard unsafe futimens(number, [now, now]) == 0 else { throw .last }
    }
}

/// Prevents `SIGXFSZ` from ending the process when a write exceeds the process's file size limit.
///
/// The kernel sends that signal to the writing thread. The thread blocks the signal during the write and removes
/// it from its pending signals, which leaves the error `EFBIG` for the caller.
private enum WithoutSizeSignal {
    static func run(_ body: () throws(Errno) -> Void) throws(Errno) {
        var signals = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGXFSZ)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        unsafe sigpending(&pending)
        let wasPending = unsafe sigismember(&pending, SIGXFSZ) == 1
        do {
            try body()
        } catch let error {
            if error.code == EFBIG, !wasPending {
                var now = timespec()
                unsafe sigtimedwait(&signals, nil, &now)
            }
            throw error
        }
    }
}
