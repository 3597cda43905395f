#if Macros
    public import LayeredPrefs

    /// Declares a preference of a `RawRepresentable` type, such as an enum, stored as its raw value.
    ///
    /// The parameters are the same as for LayeredPrefs' `@Pref`, which stores such a type in this form automatically.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro RawRepresentablePref<Value, Verdict>(
        key: String? = nil,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of a `Codable` type, stored as the bytes of its JSON.
    ///
    /// The parameters are the same as for LayeredPrefs' `@Pref`.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro JSONDataCodablePref<Value, Verdict>(
        key: String? = nil,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of a `Codable` type, stored as the text of its JSON.
    ///
    /// The parameters are the same as for LayeredPrefs' `@Pref`.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro JSONStringCodablePref<Value, Verdict>(
        key: String? = nil,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference without a type: an array or dictionary of mixed values, such as `[Any]`.
    ///
    /// The values are strings, booleans, numbers, data, dates, and arrays and dictionaries of these. If you assign
    /// anything else, a diagnostic is reported and nothing changes.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro RawPref(
        key: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")
#endif
