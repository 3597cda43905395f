// Disfavored: a type that states a default coding is stored in that coding. A collection is accepted by its
// own initializers, because its elements need not have a default coding.
extension PersistentKey {
    /// Creates a key whose values, such as cases of an enum, are stored as their raw values.
    ///
    /// ```swift
    /// enum Mode: String, CaseIterable { case relay, submit }
    ///
    /// PersistentKey("mode", defaultValue: Mode.relay)
    /// ```
    ///
    /// A stored value that is no raw value is rejected; if the type is `CaseIterable`, the message lists the
    /// allowed values and suggests the nearest.
    @_disfavoredOverload
    public init(
        _ id: String,
        defaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        documentation: String? = nil
    ) where Value: RawRepresentable, Value.RawValue: PrefsStorageValue {
        self.init(id, .value(defaultValue)) { RawRepresentablePrefsCoding<Value>() }
        declare(
            PrefsKeyTraits(
                validate: validate, formerNames: formerNames, environmentName: environmentName,
                isSecret: isSecret, needsRestart: needsRestart, documentation: documentation))
    }

    /// Creates a key with an optional value that is stored as its raw value.
    @_disfavoredOverload
    public init<Wrapped: RawRepresentable>(
        _ id: String,
        defaultValue: Value = nil,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        documentation: String? = nil
    ) where Value == Wrapped?, Wrapped.RawValue: PrefsStorageValue {
        self.init(id, .value(defaultValue)) {
            RawRepresentablePrefsCoding<Wrapped>().optionalPrefsCoding
        }
        declare(
            PrefsKeyTraits(
                validate: validate, formerNames: formerNames, environmentName: environmentName,
                isSecret: isSecret, needsRestart: needsRestart, documentation: documentation))
    }

    /// Creates a key with an array or a dictionary whose elements are stored as their raw values.
    @_disfavoredOverload
    public init(
        _ id: String,
        defaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        documentation: String? = nil
    )
    where
        Value: PrefsElementwise, Value.StoredElement: RawRepresentable,
        Value.StoredElement.RawValue: PrefsStorageValue
    {
        self.init(id, .value(defaultValue)) {
            Value.prefsCoding(element: RawRepresentablePrefsCoding<Value.StoredElement>())
        }
        declare(
            PrefsKeyTraits(
                validate: validate, formerNames: formerNames, environmentName: environmentName,
                isSecret: isSecret, needsRestart: needsRestart, documentation: documentation))
    }

    /// Creates a key with an optional array or dictionary whose elements are stored as their raw values.
    @_disfavoredOverload
    public init<Wrapped: PrefsElementwise>(
        _ id: String,
        defaultValue: Value = nil,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        documentation: String? = nil
    )
    where
        Value == Wrapped?, Wrapped.StoredElement: RawRepresentable,
        Wrapped.StoredElement.RawValue: PrefsStorageValue
    {
        self.init(id, .value(defaultValue)) {
            Value.prefsCoding(element: RawRepresentablePrefsCoding<Wrapped.StoredElement>())
        }
        declare(
            PrefsKeyTraits(
                validate: validate, formerNames: formerNames, environmentName: environmentName,
                isSecret: isSecret, needsRestart: needsRestart, documentation: documentation))
    }

    /// Sets the optional parts of the declaration; if there are none, the key allocates nothing for them.
    mutating func declare(_ traits: PrefsKeyTraits<Value>) {
        if !traits.areDefault { self.traits = traits }
    }
}

extension PersistentDebugKey {
    /// Creates a key whose values, such as cases of an enum, are stored as their raw values.
    @_disfavoredOverload
    public init(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        documentation: String? = nil
    ) where Value: RawRepresentable, Value.RawValue: PrefsStorageValue {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: RawRepresentablePrefsCoding<Value>(), validate: validate, formerNames: formerNames,
            environmentName: environmentName, isSecret: isSecret, needsRestart: needsRestart,
            documentation: documentation)
    }

    /// Creates a key whose values are stored as their raw values, with the same default in both builds.
    @_disfavoredOverload
    public init(
        _ id: String,
        defaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        documentation: String? = nil
    ) where Value: RawRepresentable, Value.RawValue: PrefsStorageValue {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue, validate: validate,
            formerNames: formerNames, environmentName: environmentName, isSecret: isSecret,
            needsRestart: needsRestart, documentation: documentation)
    }
}
