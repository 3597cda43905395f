#if Macros
    /// Turns a class into a schema of preferences.
    ///
    /// The class needs a storage:
    ///
    /// ```swift
    /// @PrefsSchema final class Prefs {
    ///     @Storage var storage = .dictionary
    ///
    ///     /// The port to listen on.
    ///     @Pref(in: 1...65535) var port: Int = 8080
    ///     @Pref var name: String?
    ///     @PrefGroup var http: HTTPPrefs
    /// }
    /// ```
    ///
    /// If you declare `@Storage var storage: PrefsStack` instead, and no initializer of your own,
    /// you create the class with `Prefs(storage)`.
    ///
    /// The class conforms to ``PrefsSchema`` and `Observable`. A `final` class also becomes `Sendable` if its
    /// only stored variables are preferences and the storage. A note names any other variable that prevents
    /// it. `Prefs.keys` lists the declared keys. With the product LayeredPrefsReference, `Prefs.reference`,
    /// `Prefs.samplePropertyList` and `Prefs.jsonSchema` are generated from them.
    @attached(
        member,
        names: named(_$observationRegistrar), named(_$prefs), named(_$properties), named(_$groups),
        named(_$bind), named(_$snapshotReads), named(access), named(withMutation),
        named(_$sendable), named(keys), named(PropertyKeys), named(storage), named(init),
        named(Storage)
    )
    @attached(
        extension,
        conformances: Observable, PrefsSchema, PrefsDeclaring, Sendable
    )
    public macro PrefsSchema() = #externalMacro(module: "LayeredPrefsMacros", type: "PrefsSchemaMacro")

    /// Turns a class into a group of preferences, which a schema holds with ``PrefGroup(key:)``.
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
    /// The key of `prefs.http.port` is `http.port`. A group has no storage of its own. It may contain other
    /// groups.
    @attached(
        member,
        names: named(_$observationRegistrar), named(_$prefs), named(_$properties), named(_$groups),
        named(_$bind), named(access), named(withMutation),
        named(_$sendable), named(_$location), named(keys), named(PropertyKeys), named(storage), named(init),
        named(Storage)
    )
    @attached(
        extension,
        conformances: Observable, PrefsGroup, PrefsDeclaring, Sendable
    )
    public macro PrefsGroup() = #externalMacro(module: "LayeredPrefsMacros", type: "PrefsGroupMacro")

    /// Declares a group of preferences.
    ///
    /// The names of the group's keys begin with the variable's name, or `key` if given, and a dot.
    @attached(accessor, names: named(get))
    @attached(peer, names: prefixed(_$group_))
    public macro PrefGroup(key: String? = nil) =
        #externalMacro(module: "LayeredPrefsMacros", type: "PrefGroupMacro")
#endif
