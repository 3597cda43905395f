import PrefsSystem

extension PrefsStack {
    /// Calls `body` with the duration of each reload, until the observation is cancelled or released. A reload
    /// begins when the stack starts to read edited files. It ends when observers have been notified, or soon will
    /// be.
    ///
    /// Without an observer, nothing is measured.
    package func observeReloads(_ body: @escaping @Sendable (Duration) -> Void) -> PrefsObservation {
        changes.reloadDurations.add(body)
    }

    /// The number of declared keys with a rejected value in some active or rejected revision.
    package var rejectedKeyCount: Int {
        let rejected = notActive.filter { $0.extent != .values }.flatMap(\.problems).compactMap(\.key)
        return engine.reporter.rejections.withLock { $0.rejectedKeys }.union(rejected).count
    }
}
