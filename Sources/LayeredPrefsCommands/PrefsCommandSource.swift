public import LayeredPrefs

/// What the commands are about: whose layers they read, and which keys are known.
///
/// An application conforms a type to embed the commands in its own command line:
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
/// Typed keys that no schema declares are listed one by one: `[PrefsKeyDescription(.port), …]`.
public protocol PrefsCommandSource: Sendable {
    /// The name of the command that the others are under: `config` in an application.
    static var commandName: String { get }
    /// The domain whose standard places are used where the command line names no layers; `nil` where it has
    /// to name them.
    static var domain: String? { get }
    /// The keys that the program declares, so that types, documentation and suggestions are exactly its own.
    /// Empty where none are known; a schema is then looked for where packages install theirs.
    static var keys: [PrefsKeyDescription] { get }
    /// Where the domain's files are; the standard places by default.
    static var places: PrefsPlaces? { get }
    /// What the names of the domain's environment variables begin with; `nil` derives it from the domain.
    static var environmentPrefix: String? { get }
    /// The values that the program gives in code, beneath every file.
    static var defaults: [String: PrefsValue] { get }
}

extension PrefsCommandSource {
    public static var commandName: String { "config" }
    public static var keys: [PrefsKeyDescription] { [] }
    public static var places: PrefsPlaces? { nil }
    public static var environmentPrefix: String? { nil }
    public static var defaults: [String: PrefsValue] { [:] }
}

/// Whatever domain or layers the command line names: what the tool `prefs` is about.
public enum AnyDomain: PrefsCommandSource {
    public static var commandName: String { "prefs" }
    public static var domain: String? { nil }
}
