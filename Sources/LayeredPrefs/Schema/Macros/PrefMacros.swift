#if Macros
    public import PrefsDocuments

    /// Declares a preference of any type that is `Codable` and `Sendable`, or `RawRepresentable` such as an
    /// enum, or an array or dictionary of these.
    ///
    /// A struct is stored as a dictionary, an enum with raw values as its raw value, and a `Duration` as text
    /// such as `30s`; see ``PersistentKey``.
    ///
    /// An assignment stores the whole value. A change in place, such as `prefs.window.width = 5`, stores only
    /// the parts that it has changed: the fields of a struct, or the entries of a dictionary with
    /// `merge: .deep`. For other types, it stores the whole value. If the code that changes the value throws
    /// an error, its changes until then are stored. A value that is left as it was is not stored.
    ///
    /// - Parameters:
    ///   - key: The name or dotted path of the stored value. The default is the variable's name.
    ///   - range: The allowed values. A stored value outside the range counts as absent and is reported.
    ///   - validate: A closure that returns true if a value is accepted. Alternatively, the closure returns a
    ///     sentence about the mistake in a value, or `nil` if the value is accepted. It must state its
    ///     parameter's type: `validate: { (path: String) in path.hasPrefix("/") }`.
    ///   - condition: The requirement of `validate`, as a phrase such as `an absolute path`, for messages,
    ///     explanations and references.
    ///   - secret: Whether the value must not appear in anything shown to people.
    ///   - env: The environment variable, instead of the one derived from the key.
    ///   - formerly: Former names of the key, which are read if the current name is absent.
    ///   - merge: The way that dictionaries of several layers are combined.
    ///   - needsRestart: Whether a change takes effect only after a restart.
    ///   - debugOnly: Whether only a debug build of this library reads and writes the preference; see
    ///     ``PersistentKeyOption/debugOnly``.
    ///   - releaseValue: The value in a release build, with `debugOnly: true`. The default is the
    ///     preference's default.
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
    /// The other parameters are the same as in the macro for any type, which cannot infer the type of these
    /// bounds.
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

    /// Declares a preference of type `PrefsByteCount` with a range:
    /// `@Pref(in: .kibibytes(1)...(.mebibytes(64)))`.
    ///
    /// The other parameters are the same as in the macro for any type, which cannot infer the type of these
    /// bounds.
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
    /// The other parameters are the same as in the macro without a coding.
    @attached(accessor, names: named(get), named(set), named(_modify))
    @attached(peer, names: prefixed(_$pref_), prefixed(_$cache_), prefixed(_$path_), prefixed(_$stand_))
    public macro Pref<Coding: PrefsCoding, Bounds: RangeExpression, Value, Verdict>(
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

    /// Declares a preference with a coding that PrefsKit's protocol lists: `@Pref(coding: .myType) var value: MyType?`.
    @_documentation(visibility: internal)
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
    /// The other parameters are the same as in the macro without a coding.
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
