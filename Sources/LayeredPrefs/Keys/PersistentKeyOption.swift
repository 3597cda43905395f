/// An optional part of a key's declaration.
///
/// ```swift
/// PersistentKey("auth.token", defaultValue: "", .secret, .formerly("token"))
/// ```
///
/// Of two options of one kind the last one counts; validations are all applied.
public struct PersistentKeyOption<Value: Sendable>: Sendable {
    @usableFromInline let effects: KeyOptionEffects
    /// Returns the reason for which the option rejects a value.
    @usableFromInline let validate: (@Sendable (Value) -> String?)?
    let apply: @Sendable (inout PrefsKeyTraits<Value>) -> Void

    init(
        _ effects: KeyOptionEffects = [], validate: (@Sendable (Value) -> String?)? = nil,
        apply: @escaping @Sendable (inout PrefsKeyTraits<Value>) -> Void
    ) {
        (self.effects, self.validate, self.apply) = (effects, validate, apply)
    }

    /// Omits the value from output, logs and exports that do not ask for it.
    public static var secret: Self { Self(.secrecy) { $0.isSecret = true } }

    /// Declares that a change takes effect only after a restart; changes delivered to observers say so.
    public static var needsRestart: Self { Self { $0.needsRestart = true } }

    /// Declares former names of the key, which are read, in this order, if the present name is absent from a source.
    ///
    /// Where a name lies above another one, as with `log.level`, formerly `log`, a dictionary there is not the value, unless
    /// the value may be a dictionary.
    public static func formerly(_ names: String...) -> Self {
        Self(.lookup) { $0.formerNames = names }
    }

    /// Names the environment variable, in place of the one derived from the key's name.
    public static func environmentName(_ name: String) -> Self {
        Self(.lookup) { $0.environmentName = name }
    }

    /// Chooses the way in which the dictionaries of several layers are combined.
    public static func merge(_ merge: PrefsMerge) -> Self { Self(.lookup) { $0.merge = merge } }

    /// Describes the key in generated references.
    public static func documentation(_ text: String) -> Self { Self { $0.documentation = text } }

    /// Rejects values for which a closure returns a reason.
    ///
    /// - Parameters:
    ///   - condition: What is required of a value, as a phrase such as `an even number`, for explanations and references.
    ///   - complaint: Returns the reason for which a value is rejected, as a phrase such as `expected an even number`, or
    ///     `nil` to accept it. It is called on any thread that reads the key or commits a change.
    public static func validate(
        _ condition: String? = nil, _ complaint: @escaping @Sendable (Value) -> String?
    ) -> Self {
        Self(.validation, validate: complaint) { $0.check(requiring: condition, complaint) }
    }

    /// Lets only a debug build read and write the key.
    ///
    /// In a release build its value is the default, whatever stores hold. Writing it stores nothing, and returns
    /// ``PrefsWriteOutcome/notStored``. The build is the one in which this library was compiled, and it is checked where keys
    /// are resolved: no store can bypass it.
    public static var debugOnly: Self { Self(.lookup) { $0.isDebugOnly = true } }

    /// Lets only a debug build read and write the key; in a release build it has another value.
    ///
    /// ```swift
    /// extension PersistentKey where Value == Bool {
    ///     static var tracesRequests: Self {
    ///         Self("debug.traceRequests", defaultValue: true, .debugOnly(releaseValue: false))
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter releaseValue: The value in a release build, in place of the default.
    public static func debugOnly(releaseValue: Value) -> Self {
        Self(.lookup) { traits in
            traits.isDebugOnly = true
            traits.releaseValue = releaseValue
        }
    }
}

/// What reading a key has to know of its options, without applying them.
@usableFromInline
struct KeyOptionEffects: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Values are validated.
    @inlinable static var validation: Self { Self(rawValue: 1) }
    /// The value may also come from a file that a variable names.
    @inlinable static var secrecy: Self { Self(rawValue: 2) }
    /// The value is looked up in another way than by the key's name, or merged.
    @inlinable static var lookup: Self { Self(rawValue: 4) }
}
