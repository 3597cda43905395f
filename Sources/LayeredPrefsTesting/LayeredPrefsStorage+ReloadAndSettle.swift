public import LayeredPrefs

extension LayeredPrefsStorage {
    /// Reads everything that is on disk at the call, and waits until it is accepted or rejected.
    ///
    /// When it returns, the ``/LayeredPrefs/Live/apply(_:_:)`` closures have decided, observers have been called, and every
    /// problem has been reported, unknown keys included. `current` of a configuration is what the files lead to.
    ///
    /// Do not block an observer until this returns: it would wait for itself. Within an `apply` closure it would, too: it
    /// reads nothing there, and reports an error.
    public func reloadAndSettle() async {
        reload()
        if isWithinApply { return }
        await applied()
        reportUnknownKeys()
        await settled()
    }
}
