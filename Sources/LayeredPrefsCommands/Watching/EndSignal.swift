import Dispatch

import PrefsSystem

/// Waits for `SIGINT` (^C) or `SIGTERM`. These signals then no longer terminate the process themselves.
final class EndSignal {
    private let semaphore = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameter includesHangUp: True to wait for `SIGHUP`, too. A terminal sends it when it closes.
    init(includesHangUp: Bool = false) {
        for number in [SIGINT, SIGTERM] + (includesHangUp ? [SIGHUP] : []) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [semaphore] in semaphore.signal() }
            source.resume()
            sources.append(source)
        }
    }

    /// Ends the wait when nobody reads standard output any more, as in `prefs watch | head -1`. `tail -f` does the
    /// same.
    func includeClosedOutput() {
        let isStarted = BackgroundThread.start(named: "prefs-output") { [trigger] in
            // With no events requested, poll(2) only reports errors. An error means that the other end of the pipe
            // is closed.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
            if Int32(output.revents) & (POLLERR | POLLHUP) != 0 { trigger() }
        }
        if !isStarted { Output.warn("cannot start a thread that notices the end of the reader") }
    }

    func wait() { semaphore.wait() }

    /// Ends the wait like a signal.
    var trigger: @Sendable () -> Void { { [semaphore] in _ = semaphore.signal() } }
}
