#if Macros
    @_exported public import Observation

    /// A class whose properties are preferences in a storage.
    ///
    /// Apply `@PrefsSchema` to a class instead of writing the conformance by hand:
    ///
    /// ```swift
    /// @PrefsSchema final class Prefs {
    ///     @Storage var storage = .dictionary
    ///
    ///     @Pref var name: String?
    ///     @Pref var port: Int = 8080
    /// }
    /// ```
    ///
    /// A schema is `Observable`. It reports changes of any origin: by its own properties, by another schema,
    /// directly through the storage, or by an edit of a file. Any thread may use the properties of a nonisolated
    /// class.
    public protocol PrefsSchema: PrefsDeclaring {
        /// The type of ``storage``.
        associatedtype SchemaStorage: PrefsStorage

        /// The preferences by the names of their properties, for ``key(_:)-method``.
        ///
        /// This type is part of the expansion of the macros.
        associatedtype PropertyKeys: PrefsExpansion.PropertyKeys = PrefsExpansion.NoPropertyKeys

        /// The storage that holds the values.
        var storage: SchemaStorage { get }

        /// Returns the registrar of the values that are read from a ``snapshot``, so that observation follows
        /// them.
        ///
        /// This method is part of the expansion of the macro.
        @_documentation(visibility: internal)
        func _$snapshotReads() -> PrefsExpansion.SnapshotReads?
    }

    extension PrefsSchema {
        /// Returns `nil`, because observation does not follow the snapshots of a class that the macro has not
        /// expanded.
        @_documentation(visibility: internal)
        public func _$snapshotReads() -> PrefsExpansion.SnapshotReads? { nil }
    }

    /// A class whose properties are preferences below a path of a schema's storage, declared with `@PrefsGroup`.
    public protocol PrefsGroup: PrefsDeclaring {
        /// The preferences by the names of their properties, for ``PrefsSchema/key(_:)-method``.
        ///
        /// This type is part of the expansion of the macros.
        associatedtype PropertyKeys: PrefsExpansion.PropertyKeys = PrefsExpansion.NoPropertyKeys
    }
#endif
