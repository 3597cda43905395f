/// A storage that passes every call on to another one, which the engine then addresses directly.
package protocol ForwardingPrefsStorage: PrefsStorage {
    /// The storage behind this one; never a forwarding storage itself.
    var target: any PrefsStorage { get }
}

extension PrefsStorage {
    /// This storage, or the one that it forwards to.
    var innermost: any PrefsStorage { (self as? any ForwardingPrefsStorage)?.target ?? self }
}
