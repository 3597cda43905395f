import FileWatching
import Foundation

/// Keeps what a watcher says, and waits for it with a deadline.
final class Recorder: Sendable {
    private let state = Lock<[FileEvent]>([])
    private let bell = DispatchSemaphore(value: 0)

    func record(_ event: FileEvent) {
        state.withLock { $0.append(event) }
        bell.signal()
    }

    var events: [FileEvent] { state.withLock { $0 } }

    /// Whether `condition` holds within `timeout`; asked again after each event.
    func wait(
        _ timeout: Duration = .seconds(5), until condition: ([FileEvent]) -> Bool
    ) -> Bool {
        let deadline = DispatchTime.now() + .milliseconds(Int(timeout / .milliseconds(1)))
        while !condition(events) {
            if bell.wait(timeout: deadline) == .timedOut { return condition(events) }
        }
        return true
    }
}
