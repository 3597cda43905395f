public import LayeredPrefs

extension LayeredPrefsStorage {
    /// Waits until everything that was on disk at the call is committed, its diagnostics are reported, and
    /// every observer is notified.
    ///
    /// Do not await this in an observer of one of the layers: it would wait for itself.
    public func settled() async {
        reload()
        await readings()
        await deliveries()
    }
}
