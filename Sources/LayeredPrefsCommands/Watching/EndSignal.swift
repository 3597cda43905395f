import Dispatch

import PrefsSystem

/// Waits for `SIGINT` (^C) or `SIGTERM`, which then no longer terminate the process by themselves.
final class EndSignal {
    private let semaphore = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameter includesHangUp: True to wait for `SIGHUP`, too, with which a terminal ends.
    init(includesHangUp: Bool = false) {
        for number in [SIGINT, SIGTERM] + (includesHangUp ? [SIGHUP] : []) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [semaphore] in semaphore.signal() }
            source.resume()
            sources.append(source)
        }
    }

    /// Ends the wait when nobody reads standard output any more, as `tail -f` does: `prefs watch | head -1`.
    func includeClosedOutput() {
        let isStarted = BackgroundThread.start(named: "prefs-output") { [trigger] in
            // Without events, only the error is reported: the other end of the pipe is closed.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
            if Int32(output.revents) & (POLLERR | POLLHUP) != 0 { trigger() }
        }
        if !isStarted { Output.warn("cannot start a thread that notices the end of the reader") }
    }

    func wait() { semaphore.wait() }

    /// Ends the wait, as a signal does.
    var trigger: @Sendable () -> Void { { [semaphore] in _ = semaphore.signal() } }
}
