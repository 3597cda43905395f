extension PersistentDebugKey {
    /// Creates a key whose values are stored with a coding.
    ///
    /// - Parameters:
    ///   - id: The name, or dotted path, under which the value is stored.
    ///   - debugDefaultValue: The default in a debug build.
    ///   - releaseDefaultValue: The value in a release build.
    ///   - coding: The coding in which the value is stored.
    ///   - validate: Returns the reason for which a value is rejected, as a phrase such as `expected an even
    ///     number`, or `nil` to accept it.
    ///   - formerNames: Names that are read if the present one is absent from a layer.
    ///   - environmentName: The environment variable, if it is not the one derived from the name.
    ///   - isSecret: True to omit the value from output, logs and exports that do not ask for it.
    ///   - needsRestart: True if a change takes effect only after a restart.
    ///   - merge: The way in which the dictionaries of several layers are combined.
    ///   - documentation: A description for generated references.
    public init(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        coding: some PrefsValueCoding<Value>,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) {
        self.id = id
        self.debugDefaultValue = debugDefaultValue
        self.releaseDefaultValue = releaseDefaultValue
        self.coding = coding
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key with an optional value that is stored with a coding.
    public init<Wrapped>(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        coding: some PrefsValueCoding<Wrapped>,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value == Wrapped? {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: coding.optionalPrefsCoding,
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key whose values are stored in the default coding of their type.
    public init(
        _ id: String,
        debugDefaultValue: Value,
        releaseDefaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value: PrefsPersistable {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: Value.defaultPrefsCoding,
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key whose values are stored with a coding, with the same default in both builds.
    public init(
        _ id: String,
        defaultValue: Value,
        coding: some PrefsValueCoding<Value>,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue, coding: coding,
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key with an optional value that is stored with a coding, with the same default in both builds.
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value = nil,
        coding: some PrefsValueCoding<Wrapped>,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value == Wrapped? {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue,
            coding: coding.optionalPrefsCoding,
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key whose values are stored in the default coding of their type, with the same default in both builds.
    public init(
        _ id: String,
        defaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value: PrefsPersistable {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue,
            coding: Value.defaultPrefsCoding,
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key with an optional value that is stored in the default coding of its type, with the same default in both builds.
    public init<Wrapped: PrefsPersistable>(
        _ id: String,
        defaultValue: Value = nil,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value == Wrapped? {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue,
            coding: Wrapped.defaultPrefsCoding.optionalPrefsCoding,
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }
}
