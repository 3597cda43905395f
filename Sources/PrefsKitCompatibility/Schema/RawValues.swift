public import LayeredPrefs
public import Observation
public import PrefsDocuments

// `@RawPref` expands to calls of the functions of these names. The general ones know stored forms only. For a schema, the
// ones after them are more specialized, and preferred: they know the values of any type that a dictionary keeps.

extension PrefsExpansion {
    /// Returns the key of a preference without a type, such as a mixed array or dictionary.
    public static func rawKey(_ name: String) -> PersistentKey<PrefsValue?> {
        key(name, optional: PrefsValue.self)
    }
}

extension PrefsExpansion.SchemaState {
    /// Returns the stored value of a property as Swift and Foundation types, or `nil` if it does not have the
    /// given type.
    public borrowing func readRaw<Schema: Observable, Value>(
        _ stored: PrefsValue?,
        as type: Value.Type,
        from property: PrefsExpansion.Property<Schema, PrefsValue?>,
        of schema: Schema
    ) -> Value? {
        stored?.bridged as? Value
    }

    /// Writes a value of any type. A value without a stored form is reported as a diagnostic and changes
    /// nothing.
    public borrowing func writeRaw<Schema: Observable>(
        _ value: Any?,
        to property: PrefsExpansion.Property<Schema, PrefsValue?>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        let stored = value.flatMap(PrefsValue.init(bridging:))
        guard value == nil || stored != nil else {
            storage(bind)?.diagnostics.report(
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

extension PrefsExpansion.SchemaState {
    /// Returns the value of a property, or `nil` if it does not have the given type; used by the expansion of
    /// `@RawPref`.
    public borrowing func readRaw<Schema: PrefsSchema, Value>(
        _ stored: PrefsValue?,
        as type: Value.Type,
        from property: PrefsExpansion.Property<Schema, PrefsValue?>,
        of schema: Schema
    ) -> Value? {
        guard let stored else { return nil }
        let original = schema.storage.keptOriginals?
            .value(forKey: property.description.name, storedAs: stored)
        return (original ?? stored.bridged) as? Value
    }

    /// Writes a property. A value that cannot be stored is reported as a diagnostic and changes nothing; used by
    /// the expansion of `@RawPref`.
    public borrowing func writeRaw<Schema: PrefsSchema>(
        _ value: Any?,
        to property: PrefsExpansion.Property<Schema, PrefsValue?>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        guard let value, let originals = schema.storage.keptOriginals else {
            return writeStoredForm(of: value, to: property, of: schema, by: registrar, bind: bind)
        }
        let stored = originals.keep(value, forKey: property.description.name)
        write(stored, to: property, of: schema, by: registrar, bind: bind)
    }

    /// Calls the general function, because the type is not known to be a schema here.
    private borrowing func writeStoredForm<Object: Observable>(
        of value: Any?,
        to property: PrefsExpansion.Property<Object, PrefsValue?>,
        of schema: Object,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        writeRaw(value, to: property, of: schema, by: registrar, bind: bind)
    }
}
