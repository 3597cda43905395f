#if Macros
    /// Makes a class a schema of preferences.
    ///
    /// The class needs a storage, and may say in which mode it is used:
    ///
    /// ```swift
    /// @PrefsSchema final class Prefs {
    ///     @Storage var storage = .dictionary
    ///     @StorageMode var storageMode = .cachedReadStorageWrite
    ///
    ///     /// The port to listen on.
    ///     @Pref(in: 1...65535) var port: Int = 8080
    ///     @Pref var name: String?
    ///     @PrefGroup var http: HTTPPrefs
    /// }
    /// ```
    ///
    /// It becomes ``PrefsSchema`` and `Observable`. A `final` class whose only variables are preferences, storage
    /// and mode becomes `Sendable` too; the macro says so in a note where another variable prevents that.
    /// `Prefs.keys` lists what is declared; `Prefs.reference`, `Prefs.samplePropertyList` and
    /// `Prefs.jsonSchema` are made of it.
    @attached(
        member,
        names: named(_$observationRegistrar), named(_$prefs), named(_$properties), named(_$groups),
        named(_$bind), named(access), named(withMutation),
        named(_$sendable), named(keys), named(storage), named(Storage), named(StorageMode)
    )
    @attached(
        extension,
        conformances: Observable, PrefsSchema, Sendable
    )
    public macro PrefsSchema() = #externalMacro(module: "LayeredPrefsMacros", type: "PrefsSchemaMacro")

    /// Makes a class a group of preferences, for a schema to hold with ``PrefGroup()``.
    ///
    /// ```swift
    /// @PrefsGroup final class HTTPPrefs {
    ///     @Pref var port: Int = 8080
    /// }
    ///
    /// @PrefsSchema final class Prefs {
    ///     @Storage var storage = .dictionary
    ///     @PrefGroup var http: HTTPPrefs
    /// }
    /// ```
    ///
    /// The key of `prefs.http.port` is `http.port`. A group has no storage of its own; it may hold groups.
    @attached(
        member,
        names: named(_$observationRegistrar), named(_$prefs), named(_$properties), named(_$groups),
        named(_$bind), named(access), named(withMutation),
        named(_$sendable), named(_$place), named(keys), named(storage), named(init), named(Storage),
        named(StorageMode)
    )
    @attached(
        extension,
        conformances: Observable, PrefsGroup, Sendable
    )
    public macro PrefsGroup() = #externalMacro(module: "LayeredPrefsMacros", type: "PrefsGroupMacro")

    /// Declares a group of preferences: the variable's name, or `key`, and a dot precede the names of its keys.
    @attached(accessor, names: named(get))
    @attached(peer, names: prefixed(_$group_))
    public macro PrefGroup(key: String? = nil) =
        #externalMacro(module: "LayeredPrefsMacros", type: "PrefGroupMacro")
#endif
