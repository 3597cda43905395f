/// A storage that passes every call on to another one, which the engine then addresses directly.
package protocol ForwardingPrefsStorage: PrefsStorage {
    /// The storage behind this one.
    var target: any PrefsStorage { get }
}

extension ForwardingPrefsStorage {
    public var _capabilities: _PrefsStorageCapabilities { target._capabilities }
}
