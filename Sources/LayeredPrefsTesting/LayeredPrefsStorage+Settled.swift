public import LayeredPrefs

extension LayeredPrefsStorage {
    /// Returns when everything that was on disk at the call is committed and every observer has been told.
    public func settled() async {
        recheck()
        await deliveries()
    }
}
