#if Macros
    public import PrefsDocuments

    /// Declares a preference of any type that is `Codable` and `Sendable`, or `RawRepresentable` such as an enum,
    /// or an array or dictionary of these.
    ///
    /// A change in place, such as `prefs.window.width = 5`, stores what it has changed: the fields of a struct, the entries
    /// of a dictionary with `merge: .deep`, or else the whole value. If the code that changes the value throws an error,
    /// what it has changed until then is stored; a value that is left as it was is not stored. An assignment stores the
    /// whole value.
    ///
    /// A struct is stored as a dictionary, an enum with raw values as its raw value, a `Duration` as text such
    /// as `30s`; see ``PersistentKey``.
    ///
    /// - Parameters:
    ///   - key: The name or dotted path under which the value is stored; by default the variable's name.
    ///   - range: The allowed values. A stored value outside the range counts as absent and is reported.
    ///   - validate: A closure that returns true if a value is accepted, or one that returns what is wrong
    ///     with a value, or `nil`. The closure must state its parameter's type: `validate: { (path: String)
    ///     in path.hasPrefix("/") }`.
    ///   - condition: What `validate` requires, as a phrase such as `an absolute path`, for messages, explanations and
    ///     references.
    ///   - secret: True if the value must not appear in anything shown to people.
    ///   - env: The environment variable, in place of the one derived from the key.
    ///   - formerly: Former names of the key, which are read if the current name is absent.
    ///   - merge: The way in which dictionaries of several layers are combined.
    ///   - needsRestart: True if a change takes effect only after a restart.
    ///   - debugOnly: True if only a debug build of this library reads and writes the preference, see
    ///     ``PersistentKeyOption/debugOnly``.
    ///   - releaseValue: The value in a release build, with `debugOnly: true`; by default the default.
    @attached(accessor, names: named(get), named(set), named(_modify))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Bounds: RangeExpression, Value, Verdict>(
        key: String? = nil,
        in range: Bounds = PrefsExpansion.everything,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false,
        debugOnly: Bool = false,
        releaseValue: Any? = nil
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of type `Duration` with a range: `@Pref(in: .seconds(1)...(.seconds(3600)))`.
    ///
    /// The other parameters are those of the macro for any type, which cannot infer the type of these bounds.
    @attached(accessor, names: named(get), named(set), named(_modify))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Value, Verdict>(
        key: String? = nil,
        in range: ClosedRange<Duration>,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false,
        debugOnly: Bool = false,
        releaseValue: Any? = nil
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference of type `PrefsByteCount` with a range: `@Pref(in: .kibibytes(1)...(.mebibytes(64)))`.
    ///
    /// The other parameters are those of the macro for any type, which cannot infer the type of these bounds.
    @attached(accessor, names: named(get), named(set), named(_modify))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Value, Verdict>(
        key: String? = nil,
        in range: ClosedRange<PrefsByteCount>,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false,
        debugOnly: Bool = false,
        releaseValue: Any? = nil
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference with a coding: `@Pref(coding: .urlString) var home: URL?`.
    ///
    /// The other parameters are those of the macro without a coding.
    @attached(accessor, names: named(get), named(set), named(_modify))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Coding: PrefsCodable, Bounds: RangeExpression, Value, Verdict>(
        key: String? = nil,
        coding: Coding,
        in range: Bounds = PrefsExpansion.everything,
        validate: (Value) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false,
        debugOnly: Bool = false,
        releaseValue: Any? = nil
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")

    /// Declares a preference with a coding that consists of two closures.
    ///
    /// The other parameters are those of the macro without a coding.
    @attached(accessor, names: named(get), named(set), named(_modify))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Value, StorageValue, Bounds: RangeExpression, Checked, Verdict>(
        key: String? = nil,
        encode: (Value) -> StorageValue?,
        decode: (StorageValue) -> Value?,
        in range: Bounds = PrefsExpansion.everything,
        validate: (Checked) -> Verdict = PrefsExpansion.accept,
        condition: String? = nil,
        secret: Bool = false,
        env: String? = nil,
        formerly: String...,
        merge: PrefsMerge = .replacing,
        needsRestart: Bool = false,
        debugOnly: Bool = false,
        releaseValue: Any? = nil
    ) = #externalMacro(module: "LayeredPrefsMacros", type: "PrefMacro")
#endif
