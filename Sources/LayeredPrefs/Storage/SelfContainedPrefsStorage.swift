/// A storage whose ``PrefsStorage/snapshot`` runs no code of the program and waits for nothing, so that it may
/// be taken while a mutex is held.
protocol SelfContainedPrefsStorage: PrefsStorage {}

extension SelfContainedPrefsStorage {
    public var _capabilities: _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: self, contents: self)
    }
}
