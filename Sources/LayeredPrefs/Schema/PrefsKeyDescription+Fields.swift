import PrefsDocuments
import PrefsSystem

extension PrefsKeyDescription {
    /// A field of a struct, relative to the key.
    struct Field: Sendable {
        /// The names that lead to the field.
        let path: [String]
        let swiftType: String
        let storedType: PrefsStoredType
        let defaultValue: PrefsValue?
        let allowedValues: [PrefsValue]?
        /// Returns the fields of the key with the parsers of their texts, which are made for one use.
        let texts: (@Sendable () -> [PrefsKeyName.TextField])?

        init(
            _ field: DecodedField, default stored: PrefsValue,
            texts: (@Sendable () -> [PrefsKeyName.TextField])?
        ) {
            path = field.path
            swiftType = field.type.map { "\($0)" } ?? ""
            storedType = PrefsStoredType(ofField: field.type)
            defaultValue = stored.value(at: field.path[...])
            allowedValues = field.allowedValues
            self.texts = texts
        }
    }

    /// A value that is found when it is first asked for.
    ///
    /// To find the fields of a struct, the default is decoded, which runs the program's code. That may read the
    /// property which is being described, whose list of keys must exist by then.
    final class Lazy<Value: Sendable>: Sendable {
        private let known = Lock<Value?>(nil)
        private let find: @Sendable () -> Value

        init(_ find: @escaping @Sendable () -> Value) { self.find = find }

        var value: Value {
            if let known = known.withLock({ $0 }) { return known }
            let found = find()
            // Within its own decoding, a struct shows no fields.
            if !CallChain.isActive { known.withLock { $0 = found } }
            return found
        }
    }

    /// The descriptions of a struct's fields, each of which a layer may set and lock by itself; empty for a
    /// type that is not merged per field, and for one without a default.
    ///
    /// A struct within the struct is represented by its own fields.
    public var fields: [PrefsKeyDescription] { relativeFields.map(description) }

    /// The descriptions of the values that may be set by themselves: the fields, or else the key.
    package var parts: [PrefsKeyDescription] { relativeFields.isEmpty ? [self] : fields }

    private func description(of field: Field) -> PrefsKeyDescription {
        func place(_ name: String) -> String {
            PrefsPath(components: PrefsPath(name).components + field.path).name
        }
        var limits = PrefsStoredType.Limits()
        limits.values = field.allowedValues
        let read = read
        var description = PrefsKeyDescription(
            name: place(name), swiftType: field.swiftType,
            defaultValue: field.defaultValue, documentation: nil,
            declaredEnvironmentName: names.field(field.path).environmentName,
            limits: limits, validation: nil, isSecret: isSecret,
            formerNames: formerNames.map(place), mergesDeeply: false,
            needsRestart: needsRestart,
            lazyType: Lazy { field.storedType },
            read: { candidate in
                var whole = candidate
                whole.value = .dictionary([:])
                whole.value.insert(candidate.value, at: field.path[...])
                return read(whole)
            },
            // The key that holds the field declares it.
            declare: { _, _ in }, stored: stored.field(field))
        description.path = path
        return description
    }
}

extension PrefsKeyDescription.StoredAccess {
    /// Returns the access to one field of the struct that this one reads.
    fileprivate func field(_ field: PrefsKeyDescription.Field) -> Self {
        let (observe, value, place) = (observe, value, field.path)
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
            parse: { text in field.texts?().first { $0.path == place }?.parse(text) })
    }
}
