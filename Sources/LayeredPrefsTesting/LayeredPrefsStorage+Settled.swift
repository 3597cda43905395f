public import LayeredPrefs

extension LayeredPrefsStorage {
    /// Returns when everything that was on disk at the call is committed, what is to be said of it is reported, and
    /// every observer has been told.
    ///
    /// Not to be awaited by an observer of one of the layers: it would wait for itself.
    public func settled() async {
        recheck()
        await readings()
        await deliveries()
    }
}
