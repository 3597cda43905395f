public import LayeredPrefs

extension LayeredPrefsStorage {
    /// Reads everything that is on disk at the call, and waits until it is committed and delivered, as
    /// ``/LayeredPrefs/LayeredPrefsStorage/settled()`` does.
    ///
    /// Do not block an observer until this returns: it would wait for itself.
    public func reloadAndSettle() async {
        reload()
        await settled()
    }
}
