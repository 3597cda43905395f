import PrefsSystem

/// The state of a storage's notifications, from which a thread that found nothing new knows whether observers
/// have been notified of what another thread has read.
struct NotificationsInProgress {
    /// True if observers have not been notified of the effective contents yet.
    var isPending = false
    /// The threads that are notifying observers.
    private var threads: [UInt] = []

    /// True if no notification is pending, and none is under way unless this thread is delivering one.
    var areDone: Bool { !isPending && (threads.isEmpty || threads.contains(BackgroundThread.current)) }

    /// Notes that this thread notifies observers.
    mutating func begin() {
        isPending = false
        threads.append(BackgroundThread.current)
    }

    /// Notes that this thread has notified observers.
    mutating func end() {
        if let index = threads.firstIndex(of: BackgroundThread.current) { threads.remove(at: index) }
    }
}
