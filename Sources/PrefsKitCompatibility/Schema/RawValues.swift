#if Macros
    public import LayeredPrefs
    import LayeredPrefsUserDefaults
    public import Observation
    public import PrefsDocuments

    // `@RawPref` expands to calls of these functions.

    extension PrefsExpansion {
        /// Returns the key of a preference without a type, such as a mixed array or dictionary.
        public static func rawKey(_ name: String) -> PersistentKey<PrefsValue?> {
            key(name, optional: PrefsValue.self)
        }
    }

    extension PrefsExpansion.SchemaState {
        /// Returns the stored value of a property as Swift and Foundation types, or the original value if the schema's
        /// storage keeps one.
        ///
        /// Returns `nil` if the value does not have the given type.
        public borrowing func readRaw<Schema: Observable, Value>(
            _ stored: PrefsValue?,
            as type: Value.Type,
            from property: PrefsExpansion.Property<Schema, PrefsValue?>,
            of schema: Schema
        ) -> Value? {
            guard let stored else { return nil }
            // The schema is bound already, because `stored` was read from its storage.
            let originals = originals(of: schema, {})
            let original = originals?.value(forKey: property.description.name, storedAs: stored)
            return (original ?? stored.bridged) as? Value
        }

        /// Writes a value of any type. A value that cannot be stored is reported as a diagnostic and changes nothing.
        public borrowing func writeRaw<Schema: Observable>(
            _ value: Any?,
            to property: PrefsExpansion.Property<Schema, PrefsValue?>,
            of schema: Schema,
            by registrar: ObservationRegistrar,
            bind: () -> Void
        ) {
            let (name, originals) = (property.description.name, originals(of: schema, bind))
            let stored = value.flatMap { originals?.keep($0, forKey: name) ?? PrefsValue(bridging: $0) }
            guard value == nil || stored != nil else {
                storage(bind)?.diagnostics.report(
                    .error,
                    PrefsError(
                        .notEncodable, key: name,
                        reason:
                            "expected only strings, numbers, booleans, data, dates, arrays and dictionaries")
                )
                return
            }
            write(stored, to: property, of: schema, by: registrar, bind: bind)
        }

        /// Returns the values that the storage of a schema keeps; `nil` if it keeps none, and for a group.
        private borrowing func originals(of schema: some Observable, _ bind: () -> Void) -> Originals? {
            schema is any PrefsGroup ? nil : storage(bind)?.keptOriginals
        }
    }
#endif
