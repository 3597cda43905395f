import PrefsDocuments
import PrefsSystem

extension PrefsKeyDescription {
    /// A value that is found when it is first needed.
    ///
    /// To find the fields of a struct, the default is decoded, which runs the program's code. That code may read
    /// the property that is being described. By then, the list of keys must exist.
    final class Lazy<Value: Sendable>: Sendable {
        private let known = Lock<Value?>(nil)
        private let find: @Sendable () -> Value

        init(_ find: @escaping @Sendable () -> Value) { self.find = find }

        var value: Value {
            if let known = known.withLock({ $0 }) { return known }
            let found = find()
            known.withLock { $0 = found }
            return found
        }
    }

    /// The descriptions of a struct's fields, which a layer can set and lock one by one.
    ///
    /// A struct within the struct is represented by its own fields. The array is empty if the type is not
    /// merged per field, or if the key has no default.
    public var fields: [PrefsKeyDescription] { relativeFields.map(placed) }

    /// The descriptions of the values that may be set one by one: the fields, or else the key.
    package var parts: [PrefsKeyDescription] { relativeFields.isEmpty ? [self] : fields }

    /// Returns a field's description with its whole name instead of its name relative to the key.
    private func placed(_ field: PrefsKeyDescription) -> PrefsKeyDescription {
        let components = PrefsPath(field.name).components
        func place(_ name: String) -> String {
            PrefsPath(components: PrefsPath(name).components + components).name
        }
        var field = field
        (field.name, field.formerNames, field.path) = (place(name), formerNames.map(place), path)
        return field
    }

    /// Returns the description of a field, with its name relative to the key.
    ///
    /// - Parameters:
    ///   - documentation: The documentation of the field.
    ///   - texts: Returns the fields of the key with the parsers of their texts. Each call creates new parsers.
    func description(
        of field: DecodedField, documentation: String?, texts: (@Sendable () -> [PrefsKeyName.TextField])?
    ) -> PrefsKeyDescription {
        var limits = PrefsStoredType.Limits()
        limits.values = field.allowedValues
        let (place, storedType, read) = (field.path, PrefsStoredType(ofField: field.type), read)
        let names = PrefsKeyName(name, environmentName: declaredEnvironmentName)
        return PrefsKeyDescription(
            name: PrefsPath(components: place).name, swiftType: field.type.map { "\($0)" } ?? "",
            defaultValue: defaultValue?.value(at: place[...]), documentation: documentation,
            declaredEnvironmentName: names.field(place).environmentName,
            limits: limits, validation: nil, isSecret: isSecret,
            formerNames: [], mergesDeeply: false,
            needsRestart: needsRestart,
            lazyType: Lazy { storedType },
            read: { candidate in
                var whole = candidate
                whole.value = .dictionary([:])
                whole.value.insert(candidate.value, at: place[...])
                return read(whole)
            },
            // The key that holds the field declares it.
            declare: { _, _ in }, stored: stored.field(at: place, texts))
    }
}

extension PrefsKeyDescription.StoredAccess {
    /// Returns the access to one field of the struct that this access reads.
    fileprivate func field(
        at place: [String], _ texts: (@Sendable () -> [PrefsKeyName.TextField])?
    ) -> Self {
        let (observe, value, resolution) = (observe, value, resolution)
        return Self(
            observe: { stack, path, body in
                observe(stack, path) { change in
                    var part = change.map { $0?.value(at: place[...]) }
                    if part.old.value == part.new.value { return }
                    part.key = PrefsPath(components: PrefsPath(part.key).components + place).name
                    body(part)
                }
            },
            value: { value($0, $1)?.value(at: place[...]) },
            resolution: { resolution($0, $1).map { $0?.value(at: place[...]) } },
            parse: { text in texts?().first { $0.path == place }?.parse(text) })
    }
}
