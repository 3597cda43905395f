import PrefsSystem
import Dispatch
import FileWatching

/// A consumer that keeps each event with the content that it read. Tests can wait for it.
final class Recorder: Sendable {
    struct Record: Sendable {
        var event: FileEvent
        var content: String?
    }

    private let state = Lock<[Record]>([])
    private let bell = DispatchSemaphore(value: 0)

    var records: [Record] { state.withLock { $0 } }
    var count: Int { state.withLock { $0.count } }

    func record(_ event: FileEvent) {
        let record = Record(event: event, content: content(of: event.path))
        state.withLock { $0.append(record) }
        bell.signal()
    }

    /// Returns true if `condition` holds before `timeout` ends. The condition is checked after each event.
    func wait(_ timeout: Duration = .seconds(60), until condition: ([Record]) -> Bool) -> Bool {
        let deadline = DispatchTime.now() + .milliseconds(Int(timeout / .milliseconds(1)))
        while !condition(records) {
            if bell.wait(timeout: deadline) == .timedOut { return condition(records) }
        }
        return true
    }

    /// Returns true if an event came after the first `count` ones, and the content read last is the current one.
    func hasCaughtUp(with path: String, after count: Int) -> Bool {
        wait { $0.count > count && $0.last?.content == content(of: path) }
    }
}
