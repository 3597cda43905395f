/// A storage whose ``PrefsStorage/snapshot`` runs no code of the program and never waits. So the snapshot may
/// be taken while a mutex is held.
protocol SelfContainedPrefsStorage: PrefsStorage {}

extension SelfContainedPrefsStorage {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: self, contents: self)
    }
}
