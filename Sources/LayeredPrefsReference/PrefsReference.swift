public import LayeredPrefs

/// Documents about a program's keys: a JSON Schema, a sample, a section of the manual, and the text of `--help`.
///
/// Your program's package can ship these documents. For example:
///
/// ```swift
/// let reference = try Live.reference(of: Relay(), environmentPrefix: "RELAY_")
/// print(reference.jsonSchema, terminator: "")     // for editors, and for `prefs`
/// print(reference.sampleTOML, terminator: "")     // for /etc/relay/relay.toml
/// ```
///
/// A class with `@PrefsSchema` has the same documents as static members, such as
/// `Prefs.jsonSchema(environmentPrefix:locations:)`.
public struct PrefsReference: Sendable {
    /// The keys, in the order of declaration.
    public let keys: [PrefsKeyDescription]
    /// The title of the JSON Schema.
    public let title: String
    /// The prefix of the environment variables, such as `RELAY_`.
    public let environmentPrefix: String
    /// The locations of the program's files for the JSON Schema, or `nil` for the standard locations.
    public let locations: PrefsFileLocations?
    /// The path below which there are no undeclared keys; `nil` if they may be anywhere.
    var wholePath: [String]?

    /// Creates the reference of some keys.
    ///
    /// - Parameters:
    ///   - keys: The keys, in the order of the documents.
    ///   - title: The title of the JSON Schema, such as the program's name.
    ///   - environmentPrefix: The prefix of the environment variables, such as `RELAY_`. The environment
    ///     layer derives it from the program's name.
    ///   - locations: The locations of the program's files, such as `.daemon("relay")`. The `prefs` command then
    ///     uses them. Pass `nil` for the standard locations.
    public init(
        _ keys: [PrefsKeyDescription], title: String, environmentPrefix: String = "",
        locations: PrefsFileLocations? = nil
    ) {
        (self.keys, self.title) = (keys, title)
        (self.environmentPrefix, self.locations) = (environmentPrefix, locations)
    }
}

extension Live {
    /// Returns the reference of a configuration. It makes the JSON Schema, the sample file, the section of the
    /// manual and the flags.
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
    ///   - locations: The locations of the program's files, such as `.daemon("relay")`. The `prefs` command then
    ///     uses them. Pass `nil` for the standard locations.
    /// - Throws: ``PrefsError`` if the type is not suitable.
    public static func reference(
        of defaults: Value, at path: String = "", fields named: [String: FieldOptions] = [:],
        environmentPrefix: String = "", locations: PrefsFileLocations? = nil
    ) throws -> PrefsReference {
        let described = try descriptions(of: defaults, at: path, fields: named)
        var reference = PrefsReference(
            described.keys, title: "\(Value.self)", environmentPrefix: environmentPrefix,
            locations: locations)
        reference.wholePath = described.path
        return reference
    }
}

extension PrefsDeclaring {
    /// Returns the reference of the declared keys.
    static func reference(of environmentPrefix: String) -> PrefsReference {
        PrefsReference(keys, title: "\(Self.self)", environmentPrefix: environmentPrefix)
    }
}
