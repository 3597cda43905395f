// Each declaration exists twice: the plain one is inlined and allocates nothing, the other one boxes the
// traits. The compiler prefers the plain one if no trait is given.
extension PersistentKey {
    /// Creates a key whose values are stored with a coding.
    @inlinable
    public init(_ id: String, defaultValue: Value, coding: some PrefsValueCoding<Value>) {
        self.init(id, .value(defaultValue)) { coding }
    }

    /// Creates a key with an optional value that is stored with a coding.
    @inlinable
    public init<Wrapped>(_ id: String, defaultValue: Value = nil, coding: some PrefsValueCoding<Wrapped>)
    where Value == Wrapped? {
        let coding = coding.optionalPrefsCoding
        self.init(id, .value(defaultValue)) { coding }
    }

    /// Creates a key whose values are stored in the default coding of their type.
    @inlinable
    public init(_ id: String, defaultValue: Value) where Value: PrefsPersistable {
        self.init(id, defaultValue: defaultValue, coding: Value.defaultPrefsCoding)
    }

    /// Creates a key with an optional value that is stored in the default coding of its type.
    @inlinable
    public init<Wrapped: PrefsPersistable>(_ id: String, defaultValue: Value = nil)
    where Value == Wrapped? {
        self.init(id, defaultValue: defaultValue, coding: Wrapped.defaultPrefsCoding)
    }

    /// Creates a key whose default is computed at each read that needs it, for example from another setting.
    ///
    /// The closure is called on any thread that reads the key or commits a change, with no mutex held, and may
    /// use any storage. A default that depends on itself, such as by reading its own key while no layer sets
    /// it, is reported once; within itself, it is `nil` or the empty value of its type: `false`, 0, `""`, an
    /// empty collection. For a type without such a value the program stops.
    @inlinable
    public init(
        _ id: String,
        coding: some PrefsValueCoding<Value>,
        default defaultValue: @escaping @Sendable () -> Value
    ) {
        self.init(id, .computed(defaultValue)) { coding }
    }

    /// Creates a key whose default is computed at each read that needs it.
    @inlinable
    public init(_ id: String, default defaultValue: @escaping @Sendable () -> Value)
    where Value: PrefsPersistable {
        self.init(id, coding: Value.defaultPrefsCoding, default: defaultValue)
    }
}

extension PersistentKey {
    /// Creates a key whose values are stored with a coding.
    ///
    /// - Parameters:
    ///   - id: The name, or dotted path, under which the value is stored.
    ///   - defaultValue: The value if no layer has an acceptable one.
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
        self.init(id, defaultValue: defaultValue, coding: coding)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key with an optional value that is stored with a coding.
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
        self.init(id, defaultValue: defaultValue, coding: coding)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key whose values are stored in the default coding of their type.
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
        self.init(id, defaultValue: defaultValue)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key with an optional value that is stored in the default coding of its type.
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
        self.init(id, defaultValue: defaultValue)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
    }

    /// Creates a key whose values are stored with a coding, and rejects values outside a range.
    public init<Bounds: RangeExpression & Sendable>(
        _ id: String,
        defaultValue: Value,
        coding: some PrefsValueCoding<Value>,
        in range: Bounds,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Bounds.Bound == Value {
        self.init(id, defaultValue: defaultValue, coding: coding)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
        traits.limit(to: range, coding: self.coding)
    }

    /// Creates a key with an optional value that is stored with a coding, and rejects values outside a range.
    public init<Wrapped, Bounds: RangeExpression & Sendable>(
        _ id: String,
        defaultValue: Value = nil,
        coding: some PrefsValueCoding<Wrapped>,
        in range: Bounds,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value == Wrapped?, Bounds.Bound == Wrapped {
        self.init(id, defaultValue: defaultValue, coding: coding)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
        traits.limit(to: range, coding: self.coding)
    }

    /// Creates a key whose values are stored in the default coding of their type, and rejects values outside a range.
    public init<Bounds: RangeExpression & Sendable>(
        _ id: String,
        defaultValue: Value,
        in range: Bounds,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value: PrefsPersistable, Bounds.Bound == Value {
        self.init(id, defaultValue: defaultValue)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
        traits.limit(to: range, coding: self.coding)
    }

    /// Creates a key with an optional value that is stored in the default coding of its type, and rejects values outside a range.
    public init<Wrapped: PrefsPersistable, Bounds: RangeExpression & Sendable>(
        _ id: String,
        defaultValue: Value = nil,
        in range: Bounds,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge = .replacing,
        documentation: String? = nil
    ) where Value == Wrapped?, Bounds.Bound == Wrapped {
        self.init(id, defaultValue: defaultValue)
        traits = PrefsKeyTraits(
            validate: validate, formerNames: formerNames, environmentName: environmentName,
            isSecret: isSecret, needsRestart: needsRestart, merge: merge, documentation: documentation)
        traits.limit(to: range, coding: self.coding)
    }
}
