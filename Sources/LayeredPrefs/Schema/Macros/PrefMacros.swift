#if Macros
    /// Declares a preference of a type that has a stored form of its own.
    ///
    /// - Parameters:
    ///   - key: The name or dotted path to store it under; the variable's name unless given.
    ///   - range: The values allowed. A stored value outside it counts as absent, and is reported.
    ///   - validate: A condition, or a closure that returns what is wrong with a value. A closure has to say its
    ///     parameter's type: `validate: { (path: String) in path.hasPrefix("/") }`.
    ///   - secret: Whether the value is kept out of whatever is shown to people.
    ///   - env: The environment variable, instead of the one made from the key.
    ///   - formerly: Names the key had, which are read where the present one is absent.
    ///   - merge: How dictionaries of several layers make the value.
    ///   - needsRestart: Whether a change takes effect only after a restart.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Bounds: RangeExpression, Value, Verdict>(
        key: String? = nil,
        in range: Bounds = PrefsExpansion.everything,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference with a coding: `@Pref(coding: .urlString) var home: URL?`.
    ///
    /// The other parameters are those of the macro without a coding.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Coding: PrefsCodable, Bounds: RangeExpression, Value, Verdict>(
        key: String? = nil,
        coding: Coding,
        in range: Bounds = PrefsExpansion.everything,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference with a coding made of two closures.
    ///
    /// The other parameters are those of the macro without a coding.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Value, StorageValue, Bounds: RangeExpression, Checked, Verdict>(
        key: String? = nil,
        encode: (Value) -> StorageValue?,
        decode: (StorageValue) -> Value?,
        in range: Bounds = PrefsExpansion.everything,
        validate: (Checked) -> Verdict = PrefsExpansion.accept,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of a `RawRepresentable` type, such as an enum, stored as its raw value.
    ///
    /// The parameters are those of `@Pref`.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro RawRepresentablePref<Value, Verdict>(
        key: String? = nil,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of a `Codable` type, stored as the bytes of its JSON.
    ///
    /// The parameters are those of `@Pref`.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro JSONDataCodablePref<Value, Verdict>(
        key: String? = nil,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of a `Codable` type, stored as the text of its JSON.
    ///
    /// The parameters are those of `@Pref`.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro JSONStringCodablePref<Value, Verdict>(
        key: String? = nil,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference without a type: an array or dictionary of mixed values, such as `[Any]`.
    ///
    /// The values are strings, booleans, numbers, data, dates, and arrays and dictionaries of these. Assigning
    /// anything else is reported and changes nothing.
    @attached(accessor, names: named(get), named(set))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cell_), prefixed(_$path_), prefixed(_$stand_))
    public macro RawPref(
        key: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")
#endif
