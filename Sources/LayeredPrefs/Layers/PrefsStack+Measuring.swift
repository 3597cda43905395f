import PrefsSystem

extension PrefsStack {
    /// Calls `body` with the time that each reload took, from the start of reading edited files until their
    /// observers have been notified or are about to be, until the observation is cancelled or released.
    ///
    /// Without an observer nothing is measured.
    package func observeReloads(_ body: @escaping @Sendable (Duration) -> Void) -> PrefsObservation {
        changes.reloadDurations.add(body)
    }

    /// The number of declared keys of which some layer's value is rejected, active or in a rejected version.
    package var rejectedKeyCount: Int {
        let rejected = notActive.filter { $0.extent != .values }.flatMap(\.problems).compactMap(\.key)
        return engine.reporter.rejections.withLock { $0.rejectedKeys }.union(rejected).count
    }
}
