/// An optional part of a key's declaration.
///
/// ```swift
/// PersistentKey("auth.token", defaultValue: "", .secret, .formerly("token"))
/// ```
///
/// If there are two options of one kind, the last one counts. All validations are applied.
public struct PersistentKeyOption<Value: Sendable>: Sendable {
    @usableFromInline let effects: KeyOptionEffects
    /// Returns the reason why the option rejects a value; `nil` if it accepts the value.
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

    /// Declares that a change takes effect only after a restart. Observers find this in
    /// ``PrefsChange/needsRestart``.
    public static var needsRestart: Self { Self { $0.needsRestart = true } }

    /// Declares former names of the key. In a source that lacks the present name, the key is read under its former
    /// names, in this order.
    ///
    /// If one name is above another, as with `log.level`, formerly `log`, a dictionary at the upper name is not
    /// the value, unless the value may be a dictionary.
    public static func formerly(_ names: String...) -> Self {
        Self(.lookup) { $0.formerNames = names }
    }

    /// Sets the name of the environment variable, instead of the name that is derived from the key's name.
    public static func environmentName(_ name: String) -> Self {
        Self(.lookup) { $0.environmentName = name }
    }

    /// Chooses how the dictionaries of several layers are combined.
    public static func merge(_ merge: PrefsMerge) -> Self { Self(.lookup) { $0.merge = merge } }

    /// Describes the key in generated references.
    public static func documentation(_ text: String) -> Self { Self { $0.documentation = text } }

    /// Validates the values with a closure that returns a reason to reject a value.
    ///
    /// - Parameters:
    ///   - condition: The requirement that `complaint` checks, as a phrase such as `an even number`, for
    ///     explanations and references.
    ///   - complaint: Returns the reason to reject a value, as a phrase such as `expected an even number`, or
    ///     `nil` to accept the value. It is called on any thread that reads the key or commits a change.
    public static func validate(
        _ condition: String? = nil, _ complaint: @escaping @Sendable (Value) -> String?
    ) -> Self {
        Self(.validation, validate: complaint) { $0.check(requiring: condition, complaint) }
    }

    /// Lets only a debug build read and write the key.
    ///
    /// In a release build, its value is the default, even if a layer sets the key. A write stores nothing, and
    /// returns ``PrefsWriteOutcome/notStored``. The build of this library decides, not the build of the calling
    /// module. This is checked where keys are resolved, so no storage can bypass it.
    public static var debugOnly: Self { Self(.lookup) { $0.isDebugOnly = true } }

    /// Lets only a debug build read and write the key, which has another value in a release build.
    ///
    /// ```swift
    /// extension PersistentKey where Value == Bool {
    ///     static var tracesRequests: Self {
    ///         Self("debug.traceRequests", defaultValue: true, .debugOnly(releaseValue: false))
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter releaseValue: The value in a release build, instead of the default.
    public static func debugOnly(releaseValue: Value) -> Self {
        Self(.lookup) { traits in
            traits.isDebugOnly = true
            traits.releaseValue = releaseValue
        }
    }
}

/// The effects of a key's options that a read has to know without applying the options.
@usableFromInline
struct KeyOptionEffects: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Values are validated.
    @inlinable static var validation: Self { Self(rawValue: 1) }
    /// The value may also come from a file that a variable names.
    @inlinable static var secrecy: Self { Self(rawValue: 2) }
    /// The value is merged, or is not looked up by the key's name alone.
    @inlinable static var lookup: Self { Self(rawValue: 4) }
}
