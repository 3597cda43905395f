// Disfavored, and with one parameter more than the initializers for raw values: of several that accept a type, the
// compiler then prefers those for a type that states its coding, then those for raw values, then these.
extension PersistentKey {
    /// Creates a key whose values are stored natively, as ``CodablePrefsCoding`` describes: a struct as a
    /// dictionary, whose fields are merged over all layers (``PrefsMerge/fields``).
    ///
    /// ```swift
    /// struct Route: Codable { var host: String; var timeout: Duration }
    ///
    /// PersistentKey("routes", defaultValue: [Route]())
    /// ```
    @_disfavoredOverload
    public init(
        _ id: String,
        defaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge? = nil,
        documentation: String? = nil
    ) where Value: Codable {
        self.init(id, .value(defaultValue)) { CodablePrefsCoding<Value>() }
        declare(
            PrefsKeyTraits(
                validate: validate, formerNames: formerNames, environmentName: environmentName,
                isSecret: isSecret, needsRestart: needsRestart,
                merge: merge ?? CodablePrefsCoding<Value>.merge,
                documentation: documentation))
    }

    /// Creates a key with an optional value that is stored natively.
    @_disfavoredOverload
    public init<Wrapped: Codable>(
        _ id: String,
        defaultValue: Value = nil,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge? = nil,
        documentation: String? = nil
    ) where Value == Wrapped? {
        self.init(id, .value(defaultValue)) { CodablePrefsCoding<Wrapped>().optionalPrefsCoding }
        declare(
            PrefsKeyTraits(
                validate: validate, formerNames: formerNames, environmentName: environmentName,
                isSecret: isSecret, needsRestart: needsRestart,
                merge: merge ?? CodablePrefsCoding<Wrapped>.merge,
                documentation: documentation))
    }
}

extension PersistentDebugKey {
    /// Creates a key whose values are stored natively, as ``CodablePrefsCoding`` describes.
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
        merge: PrefsMerge? = nil,
        documentation: String? = nil
    ) where Value: Codable {
        self.init(
            id, debugDefaultValue: debugDefaultValue, releaseDefaultValue: releaseDefaultValue,
            coding: CodablePrefsCoding<Value>(), validate: validate, formerNames: formerNames,
            environmentName: environmentName, isSecret: isSecret, needsRestart: needsRestart,
            merge: merge ?? CodablePrefsCoding<Value>.merge, documentation: documentation)
    }

    /// Creates a key whose values are stored natively, with the same default in both builds.
    @_disfavoredOverload
    public init(
        _ id: String,
        defaultValue: Value,
        validate: (@Sendable (Value) -> String?)? = nil,
        formerNames: [String] = [],
        environmentName: String? = nil,
        isSecret: Bool = false,
        needsRestart: Bool = false,
        merge: PrefsMerge? = nil,
        documentation: String? = nil
    ) where Value: Codable {
        self.init(
            id, debugDefaultValue: defaultValue, releaseDefaultValue: defaultValue,
            coding: CodablePrefsCoding<Value>(), validate: validate, formerNames: formerNames,
            environmentName: environmentName, isSecret: isSecret, needsRestart: needsRestart,
            merge: merge ?? CodablePrefsCoding<Value>.merge, documentation: documentation)
    }
}

extension CodablePrefsCoding {
    /// The way in which keys of this type merge unless they say otherwise: collections are replaced.
    static var merge: PrefsMerge { Value.self is any Collection.Type ? .replacing : .fields }
}
