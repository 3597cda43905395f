public import LayeredPrefs

/// The subject of the commands: a program, with the layers that the commands read and the keys that it declares.
///
/// To embed the commands in your application's own command line, conform a type to this protocol:
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
/// If no schema declares your keys, list the typed keys one by one: `[PrefsKeyDescription(.port), …]`.
public protocol PrefsCommandSource: Sendable {
    /// The name of the command that contains the others; `config` by default.
    static var commandName: String { get }
    /// The domain. Its standard locations are used if the command line names no layers. If the domain is `nil`,
    /// the command line must name a domain or layers.
    static var domain: String? { get }
    /// The keys that the program declares. They provide types, documentation and suggestions.
    ///
    /// If the list is empty, as by default, the commands look for the schema that a package installed for the domain.
    static var keys: [PrefsKeyDescription] { get }
    /// The locations of the domain's files; `nil`, the default, for the standard locations.
    ///
    /// If your program passes its own locations, give the same ones here, so that the commands write the same file:
    ///
    /// ```swift
    /// static let locations: PrefsFileLocations? = .standard(domain: "com.example.myd", folder: "myd", format: .toml)
    /// ```
    static var locations: PrefsFileLocations? { get }
    /// The prefix of the domain's environment variables; `nil`, the default, to derive it from the domain.
    static var environmentPrefix: String? { get }
    /// The values that the program sets in code, as the lowest layer; empty by default.
    static var defaults: [String: PrefsValue] { get }
}

extension PrefsCommandSource {
    /// `config`.
    public static var commandName: String { "config" }
    /// No declared keys.
    public static var keys: [PrefsKeyDescription] { [] }
    /// `nil`: the standard locations of the domain.
    public static var locations: PrefsFileLocations? { nil }
    /// `nil`: the prefix that is derived from the domain.
    public static var environmentPrefix: String? { nil }
    /// No default values.
    public static var defaults: [String: PrefsValue] { [:] }
}

/// The subject of the tool `prefs`: the domain or the layers that the command line names.
public enum AnyDomain: PrefsCommandSource {
    /// `prefs`.
    public static var commandName: String { "prefs" }
    /// No domain. The command line names a domain or layers.
    public static var domain: String? { nil }
}
