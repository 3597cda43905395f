public import LayeredPrefs

extension PrefsSchema {
    /// The storage as this module's ``PrefsStorage``, for generic code over schemas: LayeredPrefs' protocol
    /// states that it is one of its own storages.
    ///
    /// A storage that conforms to that protocol alone is wrapped.
    @_disfavoredOverload
    public var storage: any PrefsStorage {
        let storage: SchemaStorage = self.storage
        return storage as? any PrefsStorage ?? AdaptedPrefsStorage(storage)
    }
}

extension PrefsStorageWrapper where Storage: PrefsStorage {
    /// Creates a wrapper with an initial storage, which may be a static member of this module's
    /// ``PrefsStorage``: `@Storage var storage = .own`.
    public init(wrappedValue: Storage) { self.init(wrappedValue) }
}
