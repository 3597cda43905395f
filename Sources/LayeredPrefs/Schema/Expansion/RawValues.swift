public import PrefsDocuments

extension PrefsExpansion {
    /// Returns the key of a preference without a type, such as a mixed array or dictionary.
    public static func rawKey(_ name: String) -> PersistentKey<PrefsValue?> {
        key(name, optional: PrefsValue.self)
    }
}

extension PrefsExpansion.SchemaState {
    /// Returns the stored value of a property as Swift and Foundation types, or `nil` if it does not have the
    /// given type.
    public borrowing func readRaw<Schema, Value>(
        _ stored: PrefsValue?,
        as type: Value.Type,
        from property: PrefsExpansion.Property<Schema, PrefsValue?>,
        of schema: Schema
    ) -> Value? {
        stored?.bridged as? Value
    }

    /// Writes a value of any type. A value without a stored form is reported as a diagnostic and changes
    /// nothing.
    public borrowing func writeRaw<Schema>(
        _ value: Any?,
        to property: PrefsExpansion.Property<Schema, PrefsValue?>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        let stored = value.flatMap(PrefsValue.init(bridging:))
        guard value == nil || stored != nil else {
            location(bind)?.storage.diagnostics.report(
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
