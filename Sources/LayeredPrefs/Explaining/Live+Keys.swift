import PrefsDocuments

extension Live {
    /// The fields of the configuration, for the commands of `LayeredPrefsCommands` and for the inspection of
    /// a process.
    public var keys: [PrefsKeyDescription] { content.descriptions }

    /// Returns the descriptions of the fields of a configuration that is not opened, and its path.
    ///
    /// - Throws: ``PrefsError`` if the type is not suitable.
    package static func descriptions(
        of defaults: Value, at path: String, fields named: [String: FieldOptions]
    ) throws -> (keys: [PrefsKeyDescription], path: [String]) {
        let fields = try ConfigurationFields(defaults, at: path, named: named)
        return (fields.descriptions, fields.path)
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
