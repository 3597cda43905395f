/// The way in which a schema caches the values it has decoded. Both modes always show what the storage holds.
public enum PrefsStorageMode: Sendable, Hashable {
    /// Every read goes to the storage.
    ///
    /// With the library's own storages a decoded value is cached nevertheless, because they know when they
    /// changed; for them the two modes do not differ.
    case storageOnly
    /// A decoded value is cached until the storage reports a change.
    ///
    /// With a storage that has no ``PrefsStorage/changeSource``, nothing is cached.
    case cachedReadStorageWrite
}
