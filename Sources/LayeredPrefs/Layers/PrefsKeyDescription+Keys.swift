extension PrefsKeyDescription {
    /// Returns the descriptions of the keys that are the properties of a struct, in their order.
    ///
    /// Use this function if your program declares its keys without `@PrefsSchema`. Each key then has one place.
    /// The commands of `LayeredPrefsCommands` know the program's keys. A class that lists the keys gets a
    /// reference, a sample and a JSON Schema:
    ///
    /// ```swift
    /// struct Keys {
    ///     let port = PersistentKey(
    ///         "http.port", defaultValue: 8080, in: 1...65535, .documentation("The port to listen on."))
    ///     let host = PersistentKey("http.host", defaultValue: "::")
    /// }
    ///
    /// let keys = Keys()
    /// let port = storage.get(keys.port)
    ///
    /// final class Settings: PrefsDeclaring {
    ///     static let keys = PrefsKeyDescription.all(in: Keys())
    /// }
    ///
    /// enum Configuration: PrefsCommandSource {
    ///     static let domain: String? = "com.example.myd"
    ///     static var keys: [PrefsKeyDescription] { Settings.keys }
    /// }
    /// ```
    ///
    /// The result includes the keys of structs and tuples within the struct. Other properties are ignored.
    public static func all(in keys: Any) -> [PrefsKeyDescription] {
        if let key = keys as? any DescribedKey { return [key.keyDescription] }
        let mirror = Mirror(reflecting: keys)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple else { return [] }
        return mirror.children.flatMap { all(in: $0.value) }
    }

    /// Creates the description of a typed key.
    ///
    /// The type, default, range, documentation, secrecy, former names, environment name and validation are
    /// taken from the key. A default that is computed at each read is described by its value at this moment.
    /// A debug key is described by its default in this build.
    ///
    /// - Parameter key: The key.
    public init<Value: Sendable>(_ key: PersistentKey<Value>) {
        self.init(key, swiftType: "\(Value.self)")
    }

    /// Creates the description of a key from its declaration.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - swiftType: The Swift type as spelled in the source; empty if it is inferred.
    init<Value>(_ key: PersistentKey<Value>, swiftType: String) {
        let (traits, coding) = (key.traits, key.coding)
        var limits = traits.limits
        limits.values = limits.values ?? coding.allStoredForms
        self.init(
            name: key.id,
            swiftType: swiftType,
            defaultValue: key.storedDefault,
            documentation: traits.documentation,
            declaredEnvironmentName: traits.environmentName,
            limits: limits,
            validation: traits.condition,
            isSecret: traits.isSecret,
            formerNames: traits.formerNames,
            mergesDeeply: traits.mergesDeeply,
            needsRestart: traits.needsRestart,
            lazyType: Lazy { coding.storedType },
            read: { candidate in
                if case .failure(let error) = key.read(candidate) { error } else { nil }
            },
            declare: { stack, path in stack.declare(key.placed(under: path)) },
            stored: StoredAccess(key)
        )
        self.coding = coding
        (textFields, parseEntry) = (key.name.fields, key.name.parseEntry)
        if let merge = key.fieldMerge, let stored = defaultValue {
            let (whole, texts) = (self, textFields)
            lazyFields = Lazy {
                let options = key.declaredFields
                return merge.shape(of: stored).map { field in
                    let documentation = options[field.path]?.documentation
                    return whole.description(of: field, documentation: documentation, texts: texts)
                }
            }
        }
    }
}

extension PrefsKeyDescription.StoredAccess {
    fileprivate init<Value>(_ key: PersistentKey<Value>) {
        self.init(
            observe: { stack, path, body in
                stack.observe(key.placed(under: path)) { change in
                    body(change.map { (try? key.coding.encode($0)) ?? nil })
                }
            },
            value: { snapshot, path in (try? key.coding.encode(snapshot.get(key.placed(under: path)))) ?? nil
            },
            resolution: { snapshot, path in
                snapshot.resolution(for: key.placed(under: path)).map { (try? key.coding.encode($0)) ?? nil }
            },
            parse: { key.storedForm(ofText: $0) })
    }
}

extension PersistentKey {
    /// The options that the default's type declares with ``Setting``.
    fileprivate var declaredFields: LearnedFields {
        let learned = LearnedFields(named: [:])
        guard let value = defaultValue as? any Encodable else { return learned }
        // A hidden option is an error only for a configuration, which needs all options.
        _ = try? learned.encoding(of: value)
        return learned
    }

    /// Returns the key as it is in the group at a path; the key itself if the path is empty.
    func placed(under path: String) -> Self {
        if path.isEmpty { return self }
        var key = Self("\(path).\(id)", fallback, makeCoding: makeCoding)
        var traits = traits
        traits.formerNames = traits.formerNames.map { "\(path).\($0)" }
        key.declare(traits)
        return key
    }
}

/// A key of any type.
private protocol DescribedKey {
    var keyDescription: PrefsKeyDescription { get }
}

extension PersistentKey: DescribedKey {
    fileprivate var keyDescription: PrefsKeyDescription { PrefsKeyDescription(self) }
}
