extension PrefsKeyDescription {
    /// Describes a typed key, for a program that declares its keys without `@PrefsSchema`.
    ///
    /// With it the commands of `LayeredPrefsCommands` know the program's own keys, and a class that lists the
    /// descriptions has a reference, a sample and a JSON Schema:
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
    /// Type, default, documentation, secrecy, former names and environment name are the key's own, and so is
    /// what is refused. A default that is worked out at each read is described by what it is at this moment. A
    /// debug key is described by the default that it has in this build.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - limits: Which values are allowed, to be shown: what refuses the others is the key's
    ///     ``PrefsKeyTraits/validate``. Of an enum that lists its cases these are known without.
    ///   - condition: What else a value has to fulfil, in words or as code; shown, too.
    public init<Key: PersistentKeyProtocol>(
        _ key: Key, limits: PrefsKeyLimits = PrefsKeyLimits(), condition: String? = nil
    ) {
        var limits = limits
        let representation = key.representation
        limits.values = limits.values ?? representation.allStoredForms
        self.init(key, swiftType: "\(Key.Value.self)", limits: limits, validation: condition) { stack, path in
            if path.isEmpty { return stack.declare(key) }
            stack.declare(PersistentKey(key, under: path))
        }
    }

    /// Describes a key as a declaration has it.
    ///
    /// - Parameter declare: Declares the key, under a path, to a stack.
    init<Key: PersistentKeyProtocol>(
        _ key: Key,
        swiftType: String,
        limits: PrefsKeyLimits,
        validation: String?,
        declare: @escaping @Sendable (LayeredPrefsStorage, String) -> Void
    ) {
        let (traits, representation) = (key.traits, key.representation)
        self.init(
            name: key.id,
            swiftType: swiftType,
            storedType: representation.storedType,
            defaultValue: (try? representation.encode(key.defaultValue)) ?? nil,
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
    /// The key as it is in a group.
    fileprivate init(_ key: some PersistentKeyProtocol<Value>, under path: String) {
        self.init(
            "\(path).\(key.id)", defaultValue: key.defaultValue, erasedRepresentation: key.representation)
        traits = key.traits
        traits.formerNames = key.traits.formerNames.map { "\(path).\($0)" }
    }
}

extension PrefsKeyLimits {
    /// The values from one to another, both included.
    public static func range<Bound: PrefsStorageValue>(_ bounds: ClosedRange<Bound>) -> Self {
        var limits = Self()
        limits.minimum = bounds.lowerBound.prefsValue
        limits.maximum = bounds.upperBound.prefsValue
        return limits
    }
}
