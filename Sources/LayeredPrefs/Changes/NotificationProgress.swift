import PrefsSystem

/// The states of which the observers have been notified, by number.
///
/// A thread that returns promises that the observers know the state it leaves behind. If another thread is
/// still notifying them of that state, this one notifies them as well: waiting for the other thread could be
/// waiting for an observer that waits for this one. Observers therefore compare states, and ignore one that
/// they know.
struct NotificationProgress {
    /// The last state of which all observers have been notified.
    private var completed: UInt64
    /// The states of which threads are notifying observers.
    private var underWay: [(thread: UInt, state: UInt64)] = []

    init(completed: UInt64 = 0) { self.completed = completed }

    /// Returns true if the calling thread must notify the observers of a state, and then call ``end(_:)``;
    /// false if they have been notified, or if this thread is about to, in a caller of the present function.
    mutating func begin(_ state: UInt64) -> Bool {
        if state <= completed { return false }
        let thread = BackgroundThread.current
        if underWay.contains(where: { $0.thread == thread && $0.state >= state }) { return false }
        underWay.append((thread, state))
        return true
    }

    /// Records that the calling thread has notified the observers of a state.
    mutating func end(_ state: UInt64) {
        completed = max(completed, state)
        let thread = BackgroundThread.current
        if let index = underWay.lastIndex(where: { $0.thread == thread && $0.state == state }) {
            underWay.remove(at: index)
        }
    }
}
