/// Whether a schema keeps the values it decoded. Both modes always show what the storage holds.
public enum PrefsStorageMode: Sendable, Hashable {
    /// Every read asks the storage.
    ///
    /// Of the library's own storages, which know when they changed, a decoded value is kept nevertheless: there
    /// the two modes do not differ.
    case storageOnly
    /// A decoded value is kept until the storage says that it changed.
    ///
    /// Nothing is kept of a storage that has no ``PrefsStorage/changeSource``.
    case cachedReadStorageWrite
}
