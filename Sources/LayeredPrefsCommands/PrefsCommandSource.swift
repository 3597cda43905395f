public import LayeredPrefs

/// The subject of the commands: the program whose layers they read, and the keys it declares.
///
/// To embed the commands in its own command line, an application conforms a type to this protocol:
///
/// ```swift
/// enum Configuration: PrefsCommandSource {
///     static let domain: String? = "com.example.myd"
///     static var keys: [PrefsKeyDescription] { Prefs.keys }
/// }
///
/// static let configuration = CommandConfiguration(subcommands: [PrefsCommands<Configuration>.self])
/// ```
///
/// List typed keys that no schema declares one by one: `[PrefsKeyDescription(.port), …]`.
public protocol PrefsCommandSource: Sendable {
    /// The name of the command that contains the others; by default `config`.
    static var commandName: String { get }
    /// The domain whose standard locations are used if the command line names no layers; if `nil`, the
    /// command line must name a domain or layers.
    static var domain: String? { get }
    /// The keys that the program declares, which provide types, documentation and suggestions.
    ///
    /// If it is empty, which is the default, the commands look for the schema that a package installed for
    /// the domain.
    static var keys: [PrefsKeyDescription] { get }
    /// The locations of the domain's files; `nil`, the default, stands for the standard locations.
    ///
    /// State them if the program does, so that the commands write the same file:
    ///
    /// ```swift
    /// static let locations: PrefsFileLocations? = .standard(domain: "com.example.myd", folder: "myd", format: .toml)
    /// ```
    static var locations: PrefsFileLocations? { get }
    /// The prefix of the domain's environment variables; `nil`, the default, derives it from the domain.
    static var environmentPrefix: String? { get }
    /// The values of the lowest layer, which the program sets in code; empty by default.
    static var defaults: [String: PrefsValue] { get }
}

extension PrefsCommandSource {
    /// `config`.
    public static var commandName: String { "config" }
    /// No declared keys.
    public static var keys: [PrefsKeyDescription] { [] }
    /// The standard locations of the domain.
    public static var locations: PrefsFileLocations? { nil }
    /// The prefix that is derived from the domain.
    public static var environmentPrefix: String? { nil }
    /// No default values.
    public static var defaults: [String: PrefsValue] { [:] }
}

/// The subject of the tool `prefs`: the domain or the layers that the command line names.
public enum AnyDomain: PrefsCommandSource {
    /// `prefs`.
    public static var commandName: String { "prefs" }
    /// No domain: the command line names one, or layers.
    public static var domain: String? { nil }
}
