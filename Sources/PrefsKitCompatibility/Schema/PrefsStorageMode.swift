#if Macros
    public import LayeredPrefs

    /// The way a schema caches decoded values. In both modes, a read always reflects the contents of the storage.
    public enum PrefsStorageMode: Sendable, Hashable {
        /// Every read goes to the storage.
        ///
        /// The library's own storages know when they change, so a decoded value is cached nevertheless. For these
        /// storages, the two modes do not differ.
        case storageOnly
        /// A decoded value is cached until the storage reports a change.
        ///
        /// With a storage that has no `changeSource`, nothing is cached.
        case cachedReadStorageWrite
    }

    extension PrefsStorageMode {
        /// Whether a value is cached until the storage reports a change. The expansion of `@PrefsSchema` uses it.
        public var _cachesValues: Bool { self == .cachedReadStorageWrite }
    }

    extension PrefsSchema {
        /// The property wrapper that marks the storage mode: `@StorageMode var storageMode = .storageOnly`.
        public typealias StorageMode = PrefsStorageModeWrapper

        /// The default mode of a schema: ``PrefsStorageMode/cachedReadStorageWrite``.
        public var storageMode: PrefsStorageMode { .cachedReadStorageWrite }
    }

    /// A property wrapper that holds a schema's storage mode. Its attribute is `@StorageMode`.
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

        /// The storage mode. If you replace it, the schema is bound again.
        public var wrappedValue: PrefsStorageMode {
            get { current.value }
            nonmutating set { current.replace(with: newValue) }
        }

        /// Registers a callback for each replacement of the mode. The expansion of `@PrefsSchema` uses it.
        public func _whenReplaced(_ body: PrefsExpansion.Callback) {
            current.whenReplaced(body)
        }
    }
#endif
