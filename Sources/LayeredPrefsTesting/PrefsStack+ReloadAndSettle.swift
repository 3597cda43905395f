public import LayeredPrefs

extension PrefsStack {
    /// Reads everything that is on disk at the time of the call, and waits until it is accepted or rejected.
    ///
    /// When this method returns, the ``/LayeredPrefs/Live/apply(_:_:)`` handlers have decided, the observers have
    /// been called, and every problem has been reported, including unknown keys. The `current` value of a
    /// configuration reflects the files.
    ///
    /// Do not block an observer until this method returns, because the method would then wait for that observer. If
    /// you call it within an `apply` handler, it reads nothing and reports an error.
    public func reloadAndSettle() async {
        reload()
        if isWithinApply { return }
        await applied()
        reportUnknownKeys()
        await settled()
    }
}
