public import PrefsDocuments
extension PrefsExpansion {
    /// A preference without a type: mixed arrays and dictionaries.
    public static func declareRaw(_ name: String) -> Declaration<PrefsValue?> {
        declare(name, optional: PrefsValue.self)
    }

    /// A stored value as the types of Swift and Foundation, if it is of a type.
    public static func plain<Value>(_ stored: PrefsValue?, as type: Value.Type) -> Value? {
        stored?.bridged as? Value
    }
}

extension PrefsExpansion.Core {
    /// Writes a value of any type; one that has no stored form is reported and changes nothing.
    public borrowing func writeRaw<Schema, Member>(
        _ value: Any?,
        to property: PrefsExpansion.Property<Schema, PrefsValue?, Member>,
        of schema: Schema,
        by registrar: ObservationRegistrar,
        bind: () -> Void
    ) {
        let stored = value.flatMap(PrefsValue.init(bridging:))
        guard value == nil || stored != nil else {
            place(bind)?.storage.report(
                PrefsError(
                    .notEncodable, key: property.description.name,
                    reason: "the value holds something other than strings, numbers, booleans, data and dates")
            )
            return
        }
        write(stored, to: property, of: schema, by: registrar, bind: bind)
    }
}
