public import PrefsDocuments
extension PrefsExpansion {
    /// Returns the declaration of a preference without a type, such as a mixed array or dictionary.
    public static func declareRaw(_ name: String) -> Declaration<PrefsValue?> {
        declare(name, optional: PrefsValue.self)
    }

    /// Returns a stored value as Swift and Foundation types, or `nil` if it does not have the given type.
    public static func plain<Value>(_ stored: PrefsValue?, as type: Value.Type) -> Value? {
        stored?.bridged as? Value
    }
}

extension PrefsExpansion.Core {
    /// Writes a value of any type. A value without a stored form is reported as a diagnostic and changes
    /// nothing.
    public borrowing func writeRaw<Schema, Member>(
        _ value: Any?,
        to property: PrefsExpansion.Property<Schema, PrefsValue?, Member>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        let stored = value.flatMap(PrefsValue.init(bridging:))
        guard value == nil || stored != nil else {
            place(bind)?.storage.diagnostics.report(
                .error,
                PrefsError(
                    .notEncodable, key: property.description.name,
                    reason: "expected only strings, numbers, booleans, data, dates, arrays and dictionaries")
            )
            return
        }
        write(stored, to: property, of: schema, by: registrar, bind: bind)
    }
}
