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

    func wait() { semaphore.wait() }

    /// Ends the wait, as a signal does.
    var trigger: @Sendable () -> Void { { [semaphore] in _ = semaphore.signal() } }
}
