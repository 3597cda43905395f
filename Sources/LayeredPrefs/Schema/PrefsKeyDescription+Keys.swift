extension PrefsKeyDescription {
    /// Creates the description of a typed key, for a program that declares its keys without `@PrefsSchema`.
    ///
    /// The commands of `LayeredPrefsCommands` then know the program's keys, and a class that lists the
    /// descriptions gets a reference, a sample and a JSON Schema:
    ///
    /// ```swift
    /// extension PersistentKeyProtocol where Self == PersistentKey<Int> {
    ///     static var port: Self {
    ///         var key = Self("http.port", defaultValue: 8080)
    ///         key.traits.documentation = "The port to listen on."
    ///         key.traits.validate = { (1...65535).contains($0) ? nil : "expected 1...65535" }
    ///         return key
    ///     }
    /// }
    ///
    /// final class Settings: PrefsDeclaring {
    ///     static let keys = [PrefsKeyDescription(.port, limits: .range(1...65535))]
    /// }
    ///
    /// enum Configuration: PrefsCommandSource {
    ///     static let domain: String? = "com.example.myd"
    ///     static var keys: [PrefsKeyDescription] { Settings.keys }
    /// }
    /// ```
    ///
    /// Type, default, documentation, secrecy, former names, environment name and validation are taken from
    /// the key. A default that is computed at each read is described by its value at this moment. A debug key
    /// is described by the default it has in this build.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - limits: The allowed values. They are only shown: other values are rejected by the key's
    ///     ``PrefsKeyTraits/validate``. Not needed for an enum that lists its cases.
    ///   - condition: A further condition on values, in words or as code; only shown, too.
    public init<Key: PersistentKeyProtocol>(
        _ key: Key, limits: PrefsKeyLimits = PrefsKeyLimits(), condition: String? = nil
    ) {
        var limits = limits
        let coding = key.coding
        limits.values = limits.values ?? coding.allStoredForms
        self.init(key, swiftType: "\(Key.Value.self)", limits: limits, validation: condition) { stack, path in
            if path.isEmpty { return stack.declare(key) }
            stack.declare(PersistentKey(key, under: path))
        }
    }

    /// Creates the description of a key from its declaration.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - swiftType: The Swift type as spelled in the source; empty if it is inferred.
    ///   - limits: The allowed values.
    ///   - validation: The source text of the condition.
    ///   - declare: Declares the key, below a path, to a stack.
    init<Key: PersistentKeyProtocol>(
        _ key: Key,
        swiftType: String,
        limits: PrefsKeyLimits,
        validation: String?,
        declare: @escaping @Sendable (LayeredPrefsStorage, String) -> Void
    ) {
        let (traits, coding) = (key.traits, key.coding)
        self.init(
            name: key.id,
            swiftType: swiftType,
            storedType: coding.storedType,
            defaultValue: (try? coding.encode(key.defaultValue)) ?? nil,
            documentation: traits.documentation,
            declaredEnvironmentName: traits.environmentName,
            limits: limits,
            validation: validation,
            isSecret: traits.isSecret,
            formerNames: traits.formerNames,
            mergesDeeply: traits.mergesDeeply,
            needsRestart: traits.needsRestart,
            read: { candidate in
                if case .failure(let error) = key.read(candidate) { error } else { nil }
            },
            declare: declare
        )
    }
}

extension PersistentKey {
    /// Creates the key as it is in a group.
    fileprivate init(_ key: some PersistentKeyProtocol<Value>, under path: String) {
        self.init(
            "\(path).\(key.id)", defaultValue: key.defaultValue, erasedCoding: key.coding)
        traits = key.traits
        traits.formerNames = key.traits.formerNames.map { "\(path).\($0)" }
    }
}

extension PrefsKeyLimits {
    /// Returns limits that allow the values of a closed range.
    public static func range<Bound: PrefsStorageValue>(_ bounds: ClosedRange<Bound>) -> Self {
        var limits = Self()
        limits.minimum = bounds.lowerBound.prefsValue
        limits.maximum = bounds.upperBound.prefsValue
        return limits
    }
}
