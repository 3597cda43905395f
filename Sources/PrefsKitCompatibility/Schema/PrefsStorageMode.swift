public import LayeredPrefs

/// The way in which a schema caches the values it has decoded. Both modes always show what the storage holds.
public enum PrefsStorageMode: Sendable, Hashable {
    /// Every read goes to the storage.
    ///
    /// With the library's own storages a decoded value is cached nevertheless, because they know when they
    /// changed; for them the two modes do not differ.
    case storageOnly
    /// A decoded value is cached until the storage reports a change.
    ///
    /// With a storage that has no `changeSource`, nothing is cached.
    case cachedReadStorageWrite
}

extension PrefsStorageMode {
    /// True if a value is cached until the storage reports a change; used by the expansion of `@PrefsSchema`.
    public var _cachesValues: Bool { self == .cachedReadStorageWrite }
}

extension PrefsSchema {
    /// Marks the property that holds the mode: `@StorageMode var storageMode = .storageOnly`.
    public typealias StorageMode = PrefsStorageModeWrapper

    /// The mode of a schema that declares none: ``PrefsStorageMode/cachedReadStorageWrite``.
    public var storageMode: PrefsStorageMode { .cachedReadStorageWrite }
}

/// Holds a schema's storage mode; spelled `@StorageMode`.
@propertyWrapper
public struct PrefsStorageModeWrapper: Sendable {
    private let current: Replaceable<PrefsStorageMode>

    /// Creates a wrapper with an initial mode: `@StorageMode var storageMode = .storageOnly`.
    public init(wrappedValue: PrefsStorageMode) {
        current = Replaceable(wrappedValue)
    }

    /// Creates a wrapper with an initial mode.
    public init(_ mode: PrefsStorageMode) {
        self.init(wrappedValue: mode)
    }

    /// The mode. Replacing it rebinds the schema.
    public var wrappedValue: PrefsStorageMode {
        get { current.value }
        nonmutating set { current.replace(with: newValue) }
    }

    /// Registers a callback that is called after each replacement; used by the expansion of `@PrefsSchema`.
    public func _whenReplaced(_ body: PrefsExpansion.Callback) {
        current.whenReplaced(body)
    }
}
