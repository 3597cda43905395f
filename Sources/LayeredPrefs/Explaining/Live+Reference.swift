import PrefsDocuments

extension Live {
    /// The fields of the configuration, for the commands of `LayeredPrefsCommands` and for the inspection of
    /// a process.
    public var keys: [PrefsKeyDescription] { content.descriptions }

    /// Returns the reference of a configuration: its JSON Schema, sample file, section of the manual, and
    /// flags.
    ///
    /// ```swift
    /// let reference = try Live.reference(of: Relay(), environmentPrefix: "RELAY_")
    /// print(reference.sampleTOML, terminator: "")
    /// ```
    ///
    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - path: The path of the configuration in its stack; empty for the root.
    ///   - named: The options of fields by name.
    ///   - environmentPrefix: The prefix of the environment variables. The environment layer derives it from
    ///     the program's name.
    ///   - locations: The locations of the program's files, such as `.daemon("relay")`, which the `prefs`
    ///     command then uses, or `nil` for the standard locations.
    /// - Throws: ``PrefsError`` if the type is not suitable.
    public static func reference(
        of defaults: Value, at path: String = "", fields named: [String: FieldOptions] = [:],
        environmentPrefix: String = "", locations: PrefsFileLocations? = nil
    ) throws -> PrefsReference {
        let fields = try ConfigurationFields(defaults, at: path, named: named)
        var reference = PrefsReference(
            fields.descriptions, title: "\(Value.self)", environmentPrefix: environmentPrefix,
            locations: locations)
        reference.wholePath = fields.path
        return reference
    }
}

extension ConfigurationFields {
    /// The descriptions of the fields.
    var descriptions: [PrefsKeyDescription] {
        fields.map { field in
            var description = PrefsKeyDescription(field.key, swiftType: field.typeName)
            description.isRequired = field.isRequired
            description.section = field.section.map { section in
                PrefsKeyDescription.Section(
                    name: section.name.name, defaultValue: field.sectionDefault,
                    isPresent: { isPresent(section, in: $0) })
            }
            return description
        }
    }
}
