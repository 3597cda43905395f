/// Whether a schema keeps the values it decoded. Both modes always show what the storage holds.
public enum PrefsStorageMode: Sendable, Hashable {
    /// Every read asks the storage and decodes.
    case storageOnly
    /// A decoded value is kept until the storage says that it changed.
    ///
    /// Nothing is kept of a storage that has no ``PrefsStorage/changeSource``.
    case cachedReadStorageWrite
}
