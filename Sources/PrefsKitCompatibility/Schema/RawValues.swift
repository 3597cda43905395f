public import LayeredPrefs
public import Observation
public import PrefsDocuments

// `@RawPref` expands to calls of LayeredPrefs' functions of these names, which know stored forms only. For a
// schema, the functions below are more specialized, and preferred: they know the values of any type that a
// dictionary keeps.

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
        let original = schema.storage.keepingOriginals?
            .original(forKey: property.description.name, storedAs: stored)
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
        guard let value, let storage = schema.storage.keepingOriginals else {
            return writeStoredForm(of: value, to: property, of: schema, by: registrar, bind: bind)
        }
        let stored = storage.keep(value, forKey: property.description.name)
        write(stored, to: property, of: schema, by: registrar, bind: bind)
    }

    /// Calls LayeredPrefs' function, because the type is not known to be a schema here.
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
