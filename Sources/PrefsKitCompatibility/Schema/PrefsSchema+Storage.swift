#if Macros
    public import LayeredPrefs

    extension PrefsSchema {
        /// The storage as this module's ``PrefsStorage``, for generic code over schemas.
        ///
        /// LayeredPrefs' schema declares its storage with LayeredPrefs' own protocol. A storage that conforms only to
        /// that protocol is wrapped.
        @_disfavoredOverload
        public var storage: any PrefsStorage {
            let storage: SchemaStorage = self.storage
            return storage as? any PrefsStorage ?? AdaptedPrefsStorage(storage)
        }
    }

    extension PrefsStorageWrapper where Storage: PrefsStorage {
        /// Creates a wrapper with an initial storage, which may be a static member of this module's ``PrefsStorage``:
        /// `@Storage var storage = .own`.
        public init(wrappedValue: Storage) { self.init(wrappedValue) }
    }
#endif
